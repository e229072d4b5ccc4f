import type { Clock } from '../../api/clock.ts';
import type { UserInfo } from '../../api/user.ts';
import { isStoreError } from '../../storage/errors.ts';
import {
  CredentialError,
  UndecidedCredential,
  type TokenAuthenticator,
} from '../authentication/authenticator.ts';
import type { SessionRecord, SessionRecords, SignedIn } from './session-records.ts';
import { nameOf, newSessionId } from './session-seal.ts';

/** Seconds after which a session ends, however it is used. */
export const SESSION_SECONDS = 12 * 60 * 60;
/** Seconds without a request after which a session ends. */
const MAX_IDLE_SECONDS = 2 * 60 * 60;
/** Milliseconds between two writes that a session is used. */
const RENEW_MS = 5 * 60 * 1000;
/** Milliseconds for which a server takes a session for as it was last seen in the store. */
const MAX_AGE_MS = 1_000;
/** The same while the store cannot be read. */
const MAX_AGE_WITHOUT_STORE_MS = 5 * 60 * 1000;
/** Sessions that a server remembers. */
const MAX_REMEMBERED = 1_000;
/** Sessions that a server looks for in the store at once. */
const MAX_LOOKUPS = 64;

interface Remembered {
  readonly record: SessionRecord;
  /** Monotonic milliseconds. */
  readonly seenAt: number;
}

interface SessionsOptions {
  readonly records: SessionRecords;
  readonly tokens: TokenAuthenticator;
  readonly clock: Clock;
}

/**
 * Who is signed in to the console, on all servers of one store. A session acts as
 * its user, with the rights of the moment. A server asks the store again when its
 * knowledge is a second old, so that a session that ends on one ends on all.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  /** By the name in the store, in the order of their last look. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #lookups = new Map<string, Promise<Remembered | undefined>>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /**
   * Begins a session and returns its id, which is never one that a client has chosen.
   *
   * @throws StoreError (as rejection)
   */
  async begin(signedIn: SignedIn): Promise<string> {
    const { records, clock } = this.#options;
    const id = newSessionId(signedIn.user.name);
    const usedAt = clock.now();
    const endsAt = usedAt + SESSION_SECONDS * 1000;
    await records.add(id, { ...signedIn, usedAt, endsAt }, MAX_IDLE_SECONDS);
    return id;
  }

  /**
   * Undefined: it is over, or there was none.
   *
   * @throws UndecidedCredential (as rejection) when the store cannot be asked
   */
  async find(id: string): Promise<SessionRecord | undefined> {
    const known = this.#remembered.get(nameOf(id));
    const age = known === undefined ? Infinity : this.#options.clock.monotonic() - known.seenAt;
    if (age < MAX_AGE_MS) return known?.record;
    try {
      return (await this.#lookup(id))?.record;
    } catch (error) {
      if (!isStoreError(error)) throw error;
      if (age < MAX_AGE_WITHOUT_STORE_MS) return known?.record;
      throw new UndecidedCredential('the store of the sessions cannot be read', { cause: error });
    }
  }

  /** @throws StoreError (as rejection) */
  async end(id: string): Promise<void> {
    await this.#options.records.end(id);
    const name = nameOf(id);
    this.#remembered.delete(name);
    // one that has seen the session before it ended is not remembered
    this.#lookups.delete(name);
  }

  /**
   * @throws CredentialError (as rejection) when the session has ended, or what it
   *   began with is not valid any more
   */
  async userOf(id: string): Promise<UserInfo> {
    const session = await this.find(id);
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
    try {
      await this.end(id);
    } catch (error) {
      if (!isStoreError(error)) throw error;
    }
    throw new CredentialError('the token of the session is no longer valid');
  }

  /** Requests that come together look once. */
  async #lookup(id: string): Promise<Remembered | undefined> {
    const name = nameOf(id);
    const current = this.#lookups.get(name);
    if (current !== undefined) return current;
    if (this.#lookups.size >= MAX_LOOKUPS) {
      throw new UndecidedCredential('too many sessions are looked for at once');
    }
    const lookup = this.#look(id);
    this.#lookups.set(name, lookup);
    try {
      const found = await lookup;
      if (this.#lookups.get(name) === lookup) this.#remember(name, found);
      return found;
    } finally {
      if (this.#lookups.get(name) === lookup) this.#lookups.delete(name);
    }
  }

  async #look(id: string): Promise<Remembered | undefined> {
    const { records, clock } = this.#options;
    const seenAt = clock.monotonic();
    const found = await records.find(id);
    if (found === undefined) return undefined;
    const { record } = found;
    const now = clock.now();
    const leftMs = record.endsAt - now;
    const idleMs = now - record.usedAt;
    if (leftMs <= 0 || idleMs >= MAX_IDLE_SECONDS * 1000) return undefined;
    if (idleMs < RENEW_MS) return { record, seenAt };
    const renewed = { ...found, record: { ...record, usedAt: now } };
    try {
      await records.renew(id, renewed, Math.min(MAX_IDLE_SECONDS, Math.ceil(leftMs / 1000)));
    } catch (error) {
      // a store that takes no writes still says who is signed in
      if (!isStoreError(error)) throw error;
    }
    return { record, seenAt };
  }

  #remember(name: string, remembered: Remembered | undefined): void {
    this.#remembered.delete(name);
    if (remembered === undefined) return;
    this.#remembered.set(name, remembered);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= MAX_REMEMBERED) break;
      this.#remembered.delete(oldest);
    }
  }
}
