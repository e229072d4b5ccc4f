import { jsonResponse, textResponse, type ApiRequest, type ApiResponse } from '../http/message.ts';

/** The project's own version; the one of package.json. */
export const PLINTH_VERSION = '0.1.0';

/** Version of the API whose behaviour this server has; clients compare theirs with it. */
const API_MAJOR = '1';
const API_MINOR = '36';
/** The oldest version of another server that may run next to this one. */
const MIN_COMPATIBILITY_MINOR = '35';

interface Build {
  /** Commit that the server was built from; empty when not known. */
  readonly commit: string;
  /** RFC 3339; empty when not known. */
  readonly date: string;
}

const ARCHITECTURES: Partial<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** The body of `/version`. `gitVersion` is valid semver, which clients parse. Source: behaviours 1.11. */
function versionInfo(build: Build = { commit: '', date: '' }): Record<string, string> {
  return {
    major: API_MAJOR,
    minor: API_MINOR,
    emulationMajor: API_MAJOR,
    emulationMinor: API_MINOR,
    minCompatibilityMajor: API_MAJOR,
    minCompatibilityMinor: MIN_COMPATIBILITY_MINOR,
    gitVersion: gitVersion(),
    gitCommit: build.commit,
    gitTreeState: build.commit === '' ? '' : 'clean',
    buildDate: build.date,
    goVersion: '',
    compiler: `node ${process.version}`,
    platform: `${process.platform}/${ARCHITECTURES[process.arch] ?? process.arch}`,
  };
}

/** `v1.36.0+plinth.0.1.0` */
export function gitVersion(): string {
  return `v${API_MAJOR}.${API_MINOR}.0+plinth.${PLINTH_VERSION}`;
}

/** Answers `/version`; undefined for other paths. */
export function handleVersion(request: ApiRequest, build?: Build): ApiResponse | undefined {
  const isPath = request.rawPath === '/version' || request.rawPath === '/version/';
  const isAsked = request.method === 'GET' || request.method === 'HEAD';
  if (!isPath) return undefined;
  return isAsked
    ? jsonResponse(200, versionInfo(build))
    : textResponse(405, '405: Method Not Allowed');
}
