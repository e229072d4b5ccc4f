import { isOwnOrigin } from '../../http/own-origin.ts';
import { CredentialError, type Credentials } from './authenticator.ts';

/** The prefix has browsers refuse the cookie unless it is Secure, of one host, and for all paths. */
const COOKIE = '__Host-plinth-session';
/** Pages of other origins cannot send this header: their browser asks first, and is refused. */
export const CONSOLE_HEADER = 'x-plinth-console';
/** 16 characters that the ids of a user have in common, and 32 random bytes in base64url. */
const SESSION_ID = /^[A-Za-z0-9_-]{59}$/;
/** Cookies that are looked through. */
const MAX_COOKIES = 64;

/**
 * Does the request come from a page of this server? It does when it carries the
 * console's header, or opens a WebSocket from this server's origin, and nothing
 * says that another site has caused it.
 */
export function isFromConsole({ headers }: Credentials): boolean {
  const { origin, host, upgrade } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, host)) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (headers[CONSOLE_HEADER] !== undefined) return true;
  return origin !== undefined && upgrade?.toLowerCase() === 'websocket';
}

/** What a session counts by: kept as long as a stream lasts. Empty without the cookie. */
export function sessionHeadersOf(headers: Credentials['headers']): Credentials['headers'] {
  const { cookie, origin, host } = headers;
  if (cookie?.includes(`${COOKIE}=`) !== true) return {};
  const kept: Credentials['headers'] = { cookie };
  if (origin !== undefined) kept.origin = origin;
  if (host !== undefined) kept.host = host;
  for (const name of [CONSOLE_HEADER, 'sec-fetch-site']) {
    if (headers[name] !== undefined) kept[name] = headers[name];
  }
  return kept;
}

/**
 * The id of the session of a request; undefined when it has none that counts.
 *
 * @throws CredentialError for a cookie that the server has not made, or several
 */
export function sessionIdOf(request: Credentials): string | undefined {
  const { cookie } = request.headers;
  if (cookie?.includes(`${COOKIE}=`) !== true || !isFromConsole(request)) return undefined;
  const found = cookie
    .split(';', MAX_COOKIES)
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .map((pair) => pair.slice(COOKIE.length + 1));
  const [id, ...others] = found;
  if (id === undefined || others.length > 0 || !SESSION_ID.test(id)) {
    throw new CredentialError('the session cookie is not valid');
  }
  return id;
}

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** `Set-Cookie` of a session. */
export function sessionCookie(id: string, seconds: number): string {
  return `${COOKIE}=${id}; Max-Age=${seconds}; ${ATTRIBUTES}`;
}

/** `Set-Cookie` that removes it. */
export const NO_SESSION_COOKIE = `${COOKIE}=; Max-Age=0; ${ATTRIBUTES}`;
