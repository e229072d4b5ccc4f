import { isUtf8 } from 'node:buffer';
import { apiError, badRequest, tooManyRequests, unauthorized } from '../../api/api-error.ts';
import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { parseJson } from '../../api/json-parse.ts';
import { JsonSyntaxError } from '../../api/json-error.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Logger } from 'pino';
import type { Access } from '../../access/access.ts';
import { CredentialError } from '../../access/authentication/authenticator.ts';
import type { ConsoleAccess } from '../../access/sessions/console-access.ts';
import {
  CONSOLE_HEADER,
  isFromConsole,
  NO_SESSION_COOKIE,
  sessionCookie,
  sessionIdOf,
} from '../../access/authentication/session-cookie.ts';
import type { SignInMethod } from '../../access/sessions/session-records.ts';
import { SESSION_SECONDS } from '../../access/sessions/sessions.ts';
import { jsonResponse, type ApiRequest, type ApiResponse } from '../../http/message.ts';
import { isLoopback } from '../../config/console-flags.ts';

/** Where the console asks who is signed in, signs in and signs out. */
export const SESSION_PATH = '/console/session';
/** Bytes of the body of a sign-in: a token is the largest part of it. */
const MAX_SIGN_IN_BYTES = 72 * 1024;
/** Characters of a code that is looked at. */
const MAX_CODE_LENGTH = 128;

interface SessionRoutesOptions {
  readonly access: Pick<Access, 'tokens' | 'authenticators'>;
  readonly console: ConsoleAccess;
  readonly log: Logger;
}

interface Presented {
  readonly user: UserInfo;
  readonly method: SignInMethod | 'certificate';
}

/** The session of the console: who it is, how it begins, and its end. */
export class SessionRoutes {
  readonly #options: SessionRoutesOptions;

  constructor(options: SessionRoutesOptions) {
    this.#options = options;
  }

  /** @throws ApiError 400, 401, 403, 405, 413, 429 */
  async handle(request: ApiRequest): Promise<ApiResponse> {
    switch (request.method) {
      case 'GET':
        return this.#present(request);
      case 'POST':
        checkFromConsole(request);
        return this.#begin(request);
      case 'DELETE':
        checkFromConsole(request);
        return this.#end(request);
      default:
        throw apiError(405, 'MethodNotAllowed', 'a session has GET, POST and DELETE');
    }
  }

  async #present(request: ApiRequest): Promise<ApiResponse> {
    const { codes, oidc } = this.#options.console;
    const [certified, ofSession, isCodeOpen] = await Promise.all([
      this.#certified(request),
      this.#signedIn(request),
      isLocal(request) && codes.isOpen(),
    ]);
    const signedIn: Presented | undefined =
      ofSession ?? (certified && { user: certified, method: 'certificate' });
    return answer(200, {
      user: signedIn === undefined ? null : shown(signedIn.user),
      method: signedIn?.method ?? null,
      methods: {
        code: isCodeOpen,
        token: true,
        oidc: oidc !== undefined,
        certificate: certified !== undefined,
      },
    });
  }

  /** The user of the session; undefined when there is none that counts. */
  async #signedIn(request: ApiRequest): Promise<Presented | undefined> {
    const { sessions } = this.#options.console;
    const id = idOf(request);
    if (id === undefined) return undefined;
    try {
      const user = await sessions.userOf(id);
      const session = await sessions.find(id);
      return session && { user, method: session.method };
    } catch (error) {
      if (error instanceof CredentialError) return undefined;
      throw error;
    }
  }

  /** The user of the connection's certificate, which needs no session. */
  async #certified(request: ApiRequest): Promise<UserInfo | undefined> {
    const x509 = this.#options.access.authenticators.find(({ name }) => name === 'x509');
    try {
      return await x509?.authenticate(request);
    } catch {
      return undefined;
    }
  }

  async #begin(request: ApiRequest): Promise<ApiResponse> {
    const { sessions, attempts } = this.#options.console;
    const seconds = await attempts.secondsToWait(request.peer.address, 'begin');
    if (seconds !== undefined) throw tooManyRequests('too many attempts to sign in', seconds);
    const sent = bodyOf(await request.body(MAX_SIGN_IN_BYTES));
    const { code, token } = sent;
    if ((code === undefined) === (token === undefined)) {
      throw badRequest('the body must have either code or token');
    }
    const user =
      code === undefined ? await this.#ofToken(token ?? '') : await this.#ofCode(request, code);
    const method = code === undefined ? 'token' : 'code';
    const before = idOf(request);
    // who signs in again leaves the session of before: an id is never used for another user
    if (before !== undefined) await sessions.end(before);
    const id = await sessions.begin({ user, method, ...(token === undefined ? {} : { token }) });
    const { log } = this.#options;
    log.info({ user: user.name, method, address: request.peer.address }, 'signed in');
    const cookie = sessionCookie(id, SESSION_SECONDS);
    return answer(201, { user: shown(user), method }, cookie);
  }

  /** Only from this machine: codes are printed where servers run. */
  async #ofCode(request: ApiRequest, code: string): Promise<UserInfo> {
    const { console } = this.#options;
    if (!isLocal(request)) {
      throw apiError(403, 'Forbidden', 'forbidden: a code signs in on the machine of the server');
    }
    if (code.length > MAX_CODE_LENGTH || !(await console.codes.take(code))) throw unauthorized();
    return console.administrator;
  }

  async #ofToken(token: string): Promise<UserInfo> {
    try {
      const owner = await this.#options.access.tokens.authenticateToken(token, []);
      if (owner !== undefined) return owner.user;
    } catch (error) {
      this.#options.log.info({ err: error }, 'sign-in refused');
    }
    throw unauthorized();
  }

  async #end(request: ApiRequest): Promise<ApiResponse> {
    const id = idOf(request);
    if (id !== undefined) await this.#options.console.sessions.end(id);
    return answer(200, { user: null, method: null }, NO_SESSION_COOKIE);
  }
}

/** A cookie that the server has not made is none. */
function idOf(request: ApiRequest): string | undefined {
  try {
    return sessionIdOf(request);
  } catch {
    return undefined;
  }
}

/** @throws ApiError 403 */
function checkFromConsole(request: ApiRequest): void {
  if (request.headers[CONSOLE_HEADER] !== undefined && isFromConsole(request)) return;
  const why = `only pages of this server sign in and out, with the header ${CONSOLE_HEADER}`;
  throw apiError(403, 'Forbidden', `forbidden: ${why}`);
}

function isLocal({ peer }: ApiRequest): boolean {
  return isLoopback(peer.address.replace(/^::ffff:/, ''));
}

interface SignIn {
  readonly code?: string;
  readonly token?: string;
}

/** @throws ApiError 400 */
function bodyOf(bytes: Buffer): SignIn {
  const sent = jsonOf(bytes);
  const [code, token] = [getOwn(sent, 'code'), getOwn(sent, 'token')];
  for (const [name, value] of [['code', code] as const, ['token', token] as const]) {
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw badRequest(`${name}: must be a string that is not empty`);
    }
  }
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof token === 'string' ? { token: token.trim() } : {}),
  };
}

/** @throws ApiError 400 */
function jsonOf(bytes: Buffer): JsonObject {
  if (!isUtf8(bytes)) throw badRequest('the body is not valid UTF-8');
  try {
    const { value } = parseJson(bytes.toString('utf8'));
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  throw badRequest('the body must be a JSON object');
}

function shown({ name, groups }: UserInfo): object {
  return { name, groups };
}

function answer(status: number, value: object, cookie?: string): ApiResponse {
  return jsonResponse(status, value, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
  });
}
