import { createHash } from 'node:crypto';
import type { Clock } from '../../api/clock.ts';
import type { UserInfo } from '../../api/user.ts';
import {
  CredentialError,
  UndecidedCredential,
  type TokenAuthenticator,
} from '../authentication/authenticator.ts';

/** Seconds after which a session ends, however it is used. */
export const SESSION_SECONDS = 12 * 60 * 60;
/** Milliseconds without a request after which a session ends. */
const MAX_IDLE_MS = 2 * 60 * 60 * 1000;
/** Sessions of one user, and of all; beyond that the one that was used longest ago ends. */
const MAX_SESSIONS_PER_USER = 20;
const MAX_SESSIONS = 1_000;

export type SignInMethod = 'code' | 'token' | 'oidc';

/** What a session stands for. */
interface SignedIn {
  readonly user: UserInfo;
  readonly method: SignInMethod;
  /** Asked about at each request: when it is not valid any more, the session has ended. */
  readonly token?: string;
}

/** A session as its user sees it. */
interface Session extends SignedIn {
  /** Monotonic milliseconds. */
  readonly endsAt: number;
  usedAt: number;
}

interface SessionsOptions {
  readonly tokens: TokenAuthenticator;
  readonly clock: Clock;
  /** 32 random bytes in base64url. */
  readonly newId: () => string;
}

/**
 * Who is signed in to the console, in the memory of this process. A session acts
 * as its user, with the rights of the moment; it keeps the hash of its id only.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  /** In the order of their last use. */
  readonly #byHash = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Begins a session and returns its id, which is never one that a client has chosen. */
  begin(signedIn: SignedIn): string {
    const id = this.#options.newId();
    const now = this.#options.clock.monotonic();
    this.#makeRoom(signedIn.user.name);
    this.#byHash.set(hashOf(id), {
      ...signedIn,
      usedAt: now,
      endsAt: now + SESSION_SECONDS * 1000,
    });
    return id;
  }

  /** Undefined: it is over, or there was none. */
  find(id: string): Session | undefined {
    const hash = hashOf(id);
    const session = this.#byHash.get(hash);
    if (session === undefined) return undefined;
    const now = this.#options.clock.monotonic();
    if (now >= session.endsAt || now - session.usedAt >= MAX_IDLE_MS) {
      this.#byHash.delete(hash);
      return undefined;
    }
    session.usedAt = now;
    this.#byHash.delete(hash);
    this.#byHash.set(hash, session);
    return session;
  }

  end(id: string): void {
    this.#byHash.delete(hashOf(id));
  }

  /** @throws CredentialError when the session has ended, or what it began with is not valid any more */
  userOf(id: string): UserInfo | Promise<UserInfo> {
    const session = this.find(id);
    if (session === undefined) throw new CredentialError('the session has ended');
    if (session.token === undefined) return session.user;
    return this.#ownerOf(id, session.token);
  }

  async #ownerOf(id: string, token: string): Promise<UserInfo> {
    try {
      const owner = await this.#options.tokens.authenticateToken(token, []);
      if (owner !== undefined) return owner.user;
    } catch (error) {
      // the server that knows does not answer: that ends no session
      if (error instanceof UndecidedCredential) throw error;
    }
    this.end(id);
    throw new CredentialError('the token of the session is no longer valid');
  }

  #makeRoom(user: string): void {
    const own = [...this.#byHash].filter(([, session]) => session.user.name === user);
    const [oldestOwn] = own;
    if (own.length >= MAX_SESSIONS_PER_USER && oldestOwn !== undefined) {
      this.#byHash.delete(oldestOwn[0]);
    }
    for (const hash of this.#byHash.keys()) {
      if (this.#byHash.size < MAX_SESSIONS) break;
      this.#byHash.delete(hash);
    }
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64');
}
