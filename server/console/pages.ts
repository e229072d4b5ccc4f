import { apiError } from '../../api/api-error.ts';
import { EMPTY_BODY, textResponse, type ApiResponse } from '../../http/message.ts';
import type { ApiRequest } from '../../http/message.ts';
import { PAGE, type Assets } from './assets.ts';

/** Where the console is served. */
export const CONSOLE_PATH = '/console';
const ASSETS = 'assets/';

/** Nothing runs in the page but files of this server, and no other page may show it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** On everything below /console. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * The files of the console: what the build has made, and its page at every other
 * path, so that links into the console work.
 *
 * @param path decoded, below /console: `/console`, `/console/kinds`
 * @throws ApiError 405
 */
export function consolePage(assets: Assets, request: ApiRequest, path: string): ApiResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw apiError(405, 'MethodNotAllowed', 'the console is only read');
  }
  const name = path.slice(CONSOLE_PATH.length + 1);
  const isAsset = name.startsWith(ASSETS);
  const accepted = request.headers['accept-encoding'] ?? '';
  const asset = assets.find(isAsset ? name : PAGE, accepted);
  if (asset === undefined) {
    const { status, headers, body } = textResponse(404, 'not found\n');
    return { status, headers: { ...headers, ...SECURITY_HEADERS }, body };
  }
  const { type, coding, content, isImmutable } = asset;
  const etag = `"${asset.etag}${coding === undefined ? '' : `-${coding}`}"`;
  const headers: Record<string, string> = {
    ...SECURITY_HEADERS,
    'content-type': type,
    'cache-control': isImmutable ? IMMUTABLE : 'no-cache',
    vary: 'Accept-Encoding',
    etag,
  };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: EMPTY_BODY };
  if (coding !== undefined) headers['content-encoding'] = coding;
  return { status: 200, headers, body: content };
}
