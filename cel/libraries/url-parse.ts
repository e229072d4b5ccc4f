/** The parts of a URL as its functions show them. */
export interface UrlParts {
  scheme: string;
  userInfo: string;
  /** With port, and an IPv6 address in brackets. */
  host: string;
  opaque: string;
  /** Decoded. */
  path: string;
  /** As written, when it could have been written otherwise. */
  escapedPath: string;
  query: string;
  fragment: string;
}

/** The string is not a URL; the message says why. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;
const SCHEME = /^[a-zA-Z][a-zA-Z0-9+\-.]*:/;
const USER_INFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const HOST_CHARACTER = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/;
/** What may stand in a path without being escaped. */
const PATH_CHARACTERS = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]]|%[0-9a-fA-F]{2})*$/;
const PATH_UNESCAPED = /[A-Za-z0-9\-_.~$&+,/:;=@]/;

/**
 * An absolute URI or an absolute path, as an HTTP request would carry it; a `#` has
 * no meaning there. Source: Go's net/url, ParseRequestURI.
 *
 * @throws UrlError
 */
export function parseRequestUri(text: string): UrlParts {
  return parse(text, true);
}

/**
 * A URL with its fragment. Source: Go's net/url, Parse.
 *
 * @throws UrlError
 */
export function parseUrl(text: string): UrlParts {
  const hash = text.indexOf('#');
  if (hash < 0) return parse(text, false);
  const parts = parse(text.slice(0, hash), false);
  return { ...parts, fragment: unescape(text.slice(hash + 1), 'path') };
}

function parse(text: string, viaRequest: boolean): UrlParts {
  if (CONTROL.test(text)) throw new UrlError('net/url: invalid control character in URL');
  if (text === '' && viaRequest) throw new UrlError('empty url');
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  const written = SCHEME.exec(text)?.[0] ?? '';
  const scheme = written.slice(0, -1).toLowerCase();
  const [rest, query] = cut(text.slice(written.length), '?');
  const parts: UrlParts = {
    scheme,
    userInfo: '',
    host: '',
    opaque: '',
    path: '',
    escapedPath: '',
    query,
    fragment: '',
  };
  if (text === '*') return { ...parts, path: '*', escapedPath: '*' };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...parts, opaque: rest };
    if (viaRequest) throw new UrlError('invalid URI for request');
    if (cut(rest, '/')[0].includes(':')) {
      throw new UrlError('first path segment in URL cannot contain colon');
    }
  }
  const hasAuthority =
    rest.startsWith('//') && (scheme !== '' || (!viaRequest && !rest.startsWith('///')));
  if (!hasAuthority) return { ...parts, ...pathParts(rest) };
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const path = slash < 0 ? '' : rest.slice(slash);
  return { ...parts, ...authorityParts(authority), ...pathParts(path) };
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function pathParts(written: string): Pick<UrlParts, 'path' | 'escapedPath'> {
  const path = unescape(written, 'path');
  return { path, escapedPath: PATH_CHARACTERS.test(written) ? written : escapePath(path) };
}

function escapePath(path: string): string {
  return Array.from(path)
    .map((c) => (PATH_UNESCAPED.test(c) ? c : percentEncoded(c)))
    .join('');
}

function percentEncoded(character: string): string {
  let text = '';
  for (const byte of Buffer.from(character)) {
    text += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}

function authorityParts(authority: string): Pick<UrlParts, 'userInfo' | 'host'> {
  const at = authority.lastIndexOf('@');
  const userInfo = at < 0 ? '' : authority.slice(0, at);
  if (!USER_INFO.test(userInfo)) throw new UrlError('net/url: invalid userinfo');
  unescape(userInfo, 'path');
  return { userInfo, host: parseHost(authority.slice(at + 1)) };
}

function parseHost(host: string): string {
  const bracket = host.startsWith('[') ? host.lastIndexOf(']') : undefined;
  if (bracket !== undefined && bracket < 0) throw new UrlError("missing ']' in host");
  const colon = host.lastIndexOf(':');
  const port =
    bracket === undefined ? (colon < 0 ? '' : host.slice(colon)) : host.slice(bracket + 1);
  if (!/^(?::\d*)?$/.test(port)) {
    throw new UrlError(`invalid port ${JSON.stringify(port)} after host`);
  }
  return unescape(host, bracket === undefined ? 'host' : 'path');
}

/** Percent escapes decoded. In a host only what is not ASCII may be escaped. */
function unescape(text: string, mode: 'path' | 'host' | 'query'): string {
  if (mode === 'host') checkHost(text);
  const spaced = mode === 'query' ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  const bad = /%(?![0-9a-fA-F]{2})/.exec(spaced);
  if (bad !== null) {
    throw new UrlError(
      `invalid URL escape ${JSON.stringify(spaced.slice(bad.index, bad.index + 3))}`,
    );
  }
  const bytes: Buffer[] = [];
  for (const run of spaced.split(/((?:%[0-9a-fA-F]{2})+)/)) {
    bytes.push(
      run.startsWith('%') ? Buffer.from(run.replaceAll('%', ''), 'hex') : Buffer.from(run),
    );
  }
  return Buffer.concat(bytes).toString('utf8');
}

function checkHost(host: string): void {
  const ascii = /%[0-7][0-9a-fA-F]/.exec(host)?.[0];
  if (ascii !== undefined) throw new UrlError(`invalid URL escape ${JSON.stringify(ascii)}`);
  for (const c of host) {
    if (c < '\x80' && c !== '%' && !HOST_CHARACTER.test(c)) {
      throw new UrlError(`invalid character ${JSON.stringify(c)} in host name`);
    }
  }
}

/** The host without port and brackets. */
export function hostName({ host }: UrlParts): string {
  const name = /^\[(.*)\](?::\d*)?$/.exec(host)?.[1];
  return name ?? host.replace(/:\d*$/, '');
}

/** The digits of the port; empty: the URL has none. */
export function hostPort({ host }: UrlParts): string {
  return /:(\d*)$/.exec(host)?.[1] ?? '';
}

/** Parameters of the query in their order; what cannot be decoded is left out. */
export function queryParameters({ query }: UrlParts): [string, string][] {
  const found: [string, string][] = [];
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const [key, value] = cut(part, '=');
    try {
      found.push([unescape(key, 'query'), unescape(value, 'query')]);
    } catch (error) {
      if (!(error instanceof UrlError)) throw error;
    }
  }
  return found;
}
