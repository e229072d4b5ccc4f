import { getOwn, isObject, scalarText, type JsonObject, type JsonValue } from '../../api/json.ts';
import { parseStoredJson } from '../../api/json-parse.ts';
import type { Revision } from '../../api/revision.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Store, StoredItem } from '../../storage/interface.ts';
import { nameOf, seal, tagOf, unseal } from './session-seal.ts';

/** Keys of no resource: replicas ignore them, and no request reaches them. */
const PREFIX = 'console-session.';
/** Sessions of one user, and of all; beyond that the one that was used longest ago ends. */
const MAX_SESSIONS_PER_USER = 20;
const MAX_SESSIONS = 1_000;

const SIGN_IN_METHODS = ['code', 'token', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** What a session stands for. */
export interface SignedIn {
  readonly user: UserInfo;
  readonly method: SignInMethod;
  /** Checked at each request: the session ends when this is no longer valid. */
  readonly token?: string;
}

/** A session as the store keeps it. Times are wall-clock milliseconds. */
export interface SessionRecord extends SignedIn {
  readonly endsAt: number;
  /** When the record was last written because the session was used. */
  readonly usedAt: number;
}

interface FoundRecord {
  readonly record: SessionRecord;
  readonly revision: Revision;
}

/** The sessions of all servers, in the store that they share. Each method may reject with a StoreError. */
export class SessionRecords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds a session, and ends those that are too many. */
  async add(id: string, record: SessionRecord, ttlSeconds: number): Promise<void> {
    const made = await this.#store.create(keyOf(id), encode(id, record), { ttlSeconds });
    if (made.outcome !== 'ok') throw new Error('two sessions have the same id');
    await this.#trim(PREFIX + tagOf(record.user.name), MAX_SESSIONS_PER_USER);
    await this.#trim(PREFIX, MAX_SESSIONS);
  }

  /** Undefined: it has ended on one of the servers, or there was none. */
  async find(id: string): Promise<FoundRecord | undefined> {
    const { item } = await this.#store.get(keyOf(id));
    const record = item && decode(id, item.value);
    return record && { record, revision: item.revision };
  }

  /** Writes that a session was used, unless another server has done so or ended it. */
  async renew(id: string, { record, revision }: FoundRecord, ttlSeconds: number): Promise<void> {
    await this.#store.update(keyOf(id), encode(id, record), revision, { ttlSeconds });
  }

  async end(id: string): Promise<void> {
    const { item } = await this.#store.get(keyOf(id));
    if (item !== undefined) await this.#remove(item);
  }

  async #trim(prefix: string, most: number): Promise<void> {
    const { items } = await this.#store.list({ prefix, keysOnly: true });
    // the revision is that of the last use
    const oldestFirst = items.toSorted((a, b) => Number(a.revision - b.revision));
    for (const item of oldestFirst.slice(0, Math.max(0, items.length - most))) {
      await this.#remove(item);
    }
  }

  /** Also when another server writes that the session is used. */
  async #remove({ key, revision }: StoredItem): Promise<void> {
    let expected: Revision | undefined = revision;
    while (expected !== undefined) {
      const removed = await this.#store.delete(key, expected);
      expected = removed.outcome === 'conflict' ? removed.current.revision : undefined;
    }
  }
}

function keyOf(id: string): string {
  return PREFIX + nameOf(id);
}

function encode(id: string, record: SessionRecord): Buffer {
  return Buffer.from(JSON.stringify({ sealed: seal(id, JSON.stringify(record)) }));
}

/** Undefined for what this server has not written, or an older version in another shape. */
function decode(id: string, value: Buffer): SessionRecord | undefined {
  const sealed = getOwn(parseStoredJson(value), 'sealed');
  const content = typeof sealed === 'string' ? unseal(id, sealed) : undefined;
  if (content === undefined) return undefined;
  const { user, method: named, token, endsAt, usedAt } = parseStoredJson(Buffer.from(content));
  const method = SIGN_IN_METHODS.find((known) => known === named);
  if (!isObject(user) || method === undefined) return undefined;
  if (typeof endsAt !== 'number' || typeof usedAt !== 'number') return undefined;
  return {
    ...{ user: decodeUser(user), method, endsAt, usedAt },
    ...(typeof token === 'string' ? { token } : {}),
  };
}

function decodeUser(user: JsonObject): UserInfo {
  const { name, uid, groups, extra } = user;
  const entries = isObject(extra) ? Object.entries(extra) : [];
  return {
    name: scalarText(name) ?? '',
    uid: scalarText(uid) ?? '',
    groups: strings(groups),
    extra: Object.fromEntries(entries.map(([key, values]) => [key, strings(values)])),
  };
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
