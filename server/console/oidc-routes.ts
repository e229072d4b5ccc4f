import type { Logger } from 'pino';
import { apiError, tooManyRequests } from '../../api/api-error.ts';
import type { TokenAuthenticator } from '../../access/authentication/authenticator.ts';
import type { SignInStep } from '../../access/sessions/attempts.ts';
import type { ConsoleAccess } from '../../access/sessions/console-access.ts';
import type { OidcSignIn } from '../../access/sessions/oidc-sign-in.ts';
import { sessionCookie } from '../../access/authentication/session-cookie.ts';
import { SESSION_SECONDS } from '../../access/sessions/sessions.ts';
import { EMPTY_BODY, type ApiRequest, type ApiResponse } from '../../http/message.ts';

/** Where a sign-in at the issuer begins, and where the issuer sends the browser back. */
export const OIDC_PATH = '/console/session/oidc';
export const OIDC_CALLBACK_PATH = `${OIDC_PATH}/callback`;

/** Sent back when the issuer leads the browser here, so not SameSite=Strict. */
const COOKIE = '__Host-plinth-sign-in';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const COOKIE_SECONDS = 600;
const BINDING = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`);
const HOST = /^[A-Za-z0-9.:[\]-]{1,255}$/;

interface OidcRoutesOptions {
  readonly oidc: OidcSignIn;
  readonly console: ConsoleAccess;
  readonly tokens: TokenAuthenticator;
  readonly log: Logger;
}

/** Signing in at an issuer: two navigations of the browser. */
export class OidcRoutes {
  readonly #options: OidcRoutesOptions;

  constructor(options: OidcRoutesOptions) {
    this.#options = options;
  }

  /** @throws ApiError 405, 429 */
  async handle(request: ApiRequest, path: string): Promise<ApiResponse> {
    if (request.method !== 'GET') throw apiError(405, 'MethodNotAllowed', 'a sign-in has GET only');
    await this.#checkAttempts(request, path === OIDC_PATH ? 'begin' : 'return');
    try {
      return await (path === OIDC_PATH ? this.#begin(request) : this.#finish(request));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'sign-in at the issuer failed');
      return redirect('/console#sign-in=failed', [`${COOKIE}=; Max-Age=0; ${ATTRIBUTES}`]);
    }
  }

  /** @throws ApiError 429 */
  async #checkAttempts({ peer }: ApiRequest, step: SignInStep): Promise<void> {
    const { attempts } = this.#options.console;
    const seconds = await attempts.secondsToWait(peer.address, step);
    if (seconds !== undefined) throw tooManyRequests('too many attempts to sign in', seconds);
  }

  async #begin(request: ApiRequest): Promise<ApiResponse> {
    const { oidc } = this.#options;
    const { location, binding } = await oidc.begin(callbackOf(request));
    return redirect(location, [`${COOKIE}=${binding}; Max-Age=${COOKIE_SECONDS}; ${ATTRIBUTES}`]);
  }

  async #finish(request: ApiRequest): Promise<ApiResponse> {
    const { headers, query, peer } = request;
    const [, binding = ''] = BINDING.exec(headers.cookie ?? '') ?? [];
    const { oidc, console, tokens, log } = this.#options;
    const token = await oidc.finish({
      ...{ binding, redirectUri: callbackOf(request) },
      ...{ state: query.get('state') ?? '', code: query.get('code') ?? '' },
    });
    const owner = await tokens.authenticateToken(token, []);
    if (owner === undefined) throw new Error('no authenticator accepts the token of the issuer');
    const { user } = owner;
    const id = await console.sessions.begin({ user, method: 'oidc', token });
    log.info({ user: user.name, method: 'oidc', address: peer.address }, 'signed in');
    return redirect('/console', [
      sessionCookie(id, SESSION_SECONDS),
      `${COOKIE}=; Max-Age=0; ${ATTRIBUTES}`,
    ]);
  }
}

/** @throws Error */
function callbackOf({ headers: { host = '' } }: ApiRequest): string {
  if (!HOST.test(host)) throw new Error('the Host header is not valid');
  return `https://${host}${OIDC_CALLBACK_PATH}`;
}

function redirect(location: string, cookies: string[]): ApiResponse {
  const headers = {
    ...{ location, 'set-cookie': cookies },
    ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  };
  return { status: 303, headers, body: EMPTY_BODY };
}
