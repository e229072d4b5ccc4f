import type { CancelSignal } from '../../api/cancel-signal.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Revision } from '../../api/revision.ts';
import { StoreError, cancelledError } from '../errors.ts';
import type { GetResult, ListOptions, ListResult, ReadOptions, StoredItem } from '../interface.ts';
import { ChangesSince } from './changes-since.ts';
import type { Environment, ReadTransaction } from './environment.ts';
import { behindKey, encodeKey, keyRange, type KeyRange } from './key-range.ts';
import type { Meta } from './meta.ts';
import { PageMemory } from './page-memory.ts';
import {
  copyPositionOfState,
  copyValue,
  decodeStateRecord,
  DELETED,
  encodePosition,
  keyOfVersion,
  LAST_INDEX,
  POSITION_BYTES,
  positionOfVersion,
  revisionAt,
  UNREADABLE,
  valueOfRecord,
  versionKey,
} from './record.ts';

/** Items that a list reads before it lets others have the event loop: about 2 ms. */
const ITEMS_PER_TURN = 500;
/**
 * Items per page of a full read, and bytes of their values after which no more is
 * added: few enough that they are collected young and leave no holes in the old
 * generation.
 */
const PAGE = 400;
const PAGE_BYTES = 512 * 1024;

/** Versions that a list of the past reads in one go. */
const VERSIONS_PER_READ = 100;
/** A key with more versions than these is searched for the right one. */
const MAX_VERSIONS_WALKED = 4;

interface Page {
  readonly revision: Revision;
  readonly items: StoredItem[];
  readonly count: number;
  readonly more: boolean;
  readonly checked: boolean;
}

/** Reads of the newest state, and of the state at a revision that has not been compacted. */
export class Reader {
  readonly #environment: Environment;
  readonly #meta: Meta;
  /** Of the revision that pages were last asked at. */
  #changes: ChangesSince | undefined;

  constructor(environment: Environment, meta: Meta) {
    this.#environment = environment;
    this.#meta = meta;
  }

  get(key: string, { revision }: ReadOptions): GetResult {
    const bytes = encodeKey(key);
    const current = this.#meta.revision;
    if (revision === undefined) {
      const state = this.#environment.tables.state.get(bytes);
      if (state === undefined) return { revision: current };
      return { revision: current, item: this.#item(bytes, decodeStateRecord(state).position) };
    }
    this.#checkReadable(revision);
    const item = this.#itemAt(bytes, revision);
    return item === undefined ? { revision } : { revision, item };
  }

  async list(options: ListOptions): Promise<ListResult> {
    const { prefix, after, upTo, limit, count, keysOnly, revision, signal } = options;
    const range = keyRange(prefix, after, upTo);
    const request = {
      range,
      limit: limit === 'page' ? PAGE : (limit ?? Number.POSITIVE_INFINITY),
      maxBytes: limit === 'page' ? PAGE_BYTES : Number.POSITIVE_INFINITY,
      count: count === true,
      keysOnly: keysOnly === true,
      signal,
    };
    const page = (await this.#present(request, revision)) ?? (await this.#past(request, revision));
    const { revision: shown, items, more, checked } = page;
    const result = { revision: shown, items, more, checked };
    return count === true ? { ...result, count: page.count } : result;
  }

  /**
   * The newest state, or that at a revision shortly before it. Undefined when
   * too much has been written since, and for what only {@link #past} can tell.
   */
  async #present(request: ListRequest, wanted?: Revision): Promise<Page | undefined> {
    return this.#environment.snapshot(async (transaction) => {
      const { state, log } = this.#environment.tables;
      const memory = new PageMemory();
      const revision = this.#meta.revisionIn(transaction);
      const isNewest = wanted === undefined || wanted === revision;
      const changes = isNewest
        ? undefined
        : await this.#changesSince(wanted, revision, request, transaction);
      if (!isNewest && changes === undefined) return undefined;
      const { range, limit, maxBytes, keysOnly, signal } = request;
      const { end } = range;
      const items: StoredItem[] = [];
      const position = Buffer.allocUnsafe(POSITION_BYTES);
      let start = range.start;
      let bytes = 0;
      let checked = true;
      let more = false;
      for (;;) {
        giveUpWhenAborted(signal);
        // One more than is taken tells whether more follow: a read of its own costs a cursor.
        const size = Math.min(ITEMS_PER_TURN, limit - items.length) + 1;
        const newest = [...state.getRange({ start, end, limit: size, transaction })];
        const last = newest.length < size ? undefined : newest.at(-1);
        const next = last === undefined ? end : behindKey(last.key);
        for (const { key, value } of changes?.undone(newest, { start, end: next }) ?? newest) {
          if (items.length === limit || bytes >= maxBytes) {
            start = key;
            more = true;
            break;
          }
          copyPositionOfState(value, position);
          if (keysOnly) {
            items.push(bare(key, position));
            continue;
          }
          const record = log.peek(position, { transaction });
          const copy = copyValue(record ?? UNREADABLE, position, key, memory);
          checked &&= copy.checked;
          bytes += copy.value.length;
          items.push({ key: key.toString(), value: copy.value, revision: revisionAt(position) });
        }
        if (more || last === undefined) break;
        start = next;
        await nextTurn();
      }
      const left = more && request.count ? state.countKeys({ start, end, transaction }) : 0;
      return { revision: wanted ?? revision, items, count: items.length + left, more, checked };
    });
  }

  async #changesSince(
    wanted: Revision,
    revision: Revision,
    { count }: ListRequest,
    transaction: ReadTransaction,
  ): Promise<ChangesSince | undefined> {
    if (count || wanted > revision || wanted < this.#meta.compacted) return undefined;
    if (this.#changes?.since !== wanted) this.#changes = new ChangesSince(wanted);
    const changes = this.#changes;
    const { log } = this.#environment.tables;
    return (await changes.follow(log, revision, transaction)) ? changes : undefined;
  }

  /** The versions of a key lie together, so this takes time for each key that ever was in the range. */
  async #past(request: ListRequest, revision = this.#meta.revision): Promise<Page> {
    const items: StoredItem[] = [];
    let next: Buffer | undefined = request.range.start;
    let count = 0;
    for (let turn = 0; next !== undefined; turn++) {
      if (turn > 0) await nextTurn();
      giveUpWhenAborted(request.signal);
      // Compaction may go on between two turns.
      this.#checkReadable(revision);
      for (let read = 0; read < ITEMS_PER_TURN && next !== undefined;) {
        const versions: Versions = this.#versionsAt(next, request.range.end, revision);
        for (const { key, position } of versions.found) {
          count++;
          if (items.length < request.limit) {
            items.push(request.keysOnly ? bare(key, position) : this.#item(key, position));
          } else if (!request.count) {
            return { revision, items, count, more: true, checked: false };
          }
        }
        read += versions.read;
        next = versions.next;
      }
    }
    return { revision, items, count, more: count > items.length, checked: false };
  }

  /** The keys from `start` on that exist at the revision: some of them, read one after the other. */
  #versionsAt(start: Buffer, end: Buffer, revision: Revision): Versions {
    const found: Version[] = [];
    const range = { start, end, limit: VERSIONS_PER_READ };
    let key: Buffer | undefined;
    let newest: Version | undefined;
    let ofKey = 0;
    let read = 0;
    for (const { key: version, value } of this.#environment.tables.versions.getRange(range)) {
      read++;
      const own = keyOfVersion(version);
      if (key?.equals(own) !== true) {
        if (newest !== undefined) found.push(newest);
        newest = undefined;
        key = own;
        ofKey = 0;
      }
      if (++ofKey > MAX_VERSIONS_WALKED) break;
      const position = positionOfVersion(version);
      if (revisionAt(position) > revision) continue;
      newest = value[0] === DELETED ? undefined : { key, position };
    }
    if (key === undefined || (read < VERSIONS_PER_READ && ofKey <= MAX_VERSIONS_WALKED)) {
      if (newest !== undefined) found.push(newest);
      return { found, read, next: undefined };
    }
    // The last key may have more versions, many perhaps: the one that counts is looked up.
    const last = this.#positionAt(key, revision);
    if (last !== undefined) found.push({ key, position: last });
    return { found, read, next: behindKey(key) };
  }

  /** @throws StoreError */
  #checkReadable(revision: Revision): void {
    const { compacted, revision: current } = this.#meta;
    if (revision < compacted) {
      throw new StoreError('compacted', `revision ${revision} has been compacted`, {
        compactRevision: compacted,
      });
    }
    if (revision > current) {
      throw new StoreError('futureRevision', `revision ${revision} is not there yet (${current})`);
    }
  }

  #itemAt(key: Buffer, revision: Revision): StoredItem | undefined {
    const position = this.#positionAt(key, revision);
    return position === undefined ? undefined : this.#item(key, position);
  }

  /** Where the value lies that the key has at the revision; undefined when it has none. */
  #positionAt(key: Buffer, revision: Revision): Buffer | undefined {
    const newest = versionKey(key, encodePosition({ revision, index: LAST_INDEX }));
    const oldest = versionKey(key, encodePosition({ revision: 0n as Revision, index: 0 }));
    const range = { start: newest, end: oldest, reverse: true, limit: 1 };
    const version = firstOf(this.#environment.tables.versions.getRange(range));
    if (version === undefined || version.value[0] === DELETED) return undefined;
    return positionOfVersion(version.key);
  }

  /** One whose record is damaged has a value that cannot be read: it harms no other. */
  #item(key: Buffer, position: Buffer): StoredItem {
    const record = this.#environment.tables.log.get(position);
    const value = record === undefined ? UNREADABLE : valueOfRecord(record, position, key);
    return { key: key.toString(), value, revision: revisionAt(position) };
  }
}

interface Version {
  readonly key: Buffer;
  readonly position: Buffer;
}

interface Versions {
  readonly found: readonly Version[];
  /** How many were read. */
  readonly read: number;
  /** Where to go on; undefined when there are no more. */
  readonly next: Buffer | undefined;
}

interface ListRequest {
  readonly range: KeyRange;
  readonly limit: number;
  /** No item is added to so many bytes of values. */
  readonly maxBytes: number;
  readonly count: boolean;
  readonly keysOnly: boolean;
  readonly signal: CancelSignal | undefined;
}

const NO_VALUE = Buffer.alloc(0);

function bare(key: Buffer, position: Buffer): StoredItem {
  return { key: key.toString(), value: NO_VALUE, revision: revisionAt(position) };
}

function firstOf<T>(range: Iterable<T>): T | undefined {
  for (const first of range) return first;
  return undefined;
}

function giveUpWhenAborted(signal: CancelSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw cancelledError(signal);
}
