import type { Revision } from '../api/revision.ts';
import type { ListResult, ReadOptions, Store } from '../storage/interface.ts';
import { Entry } from './entry.ts';
import type { CollectionIndexes } from './index/collection-indexes.ts';
import type { ReadonlyOrderedMap } from './ordered-map.ts';

/** Part of a resource's keys: from `start` (inclusive) to `end` (exclusive; absent: no bound). */
export interface KeyRange {
  readonly start: string;
  readonly end?: string | undefined;
}

/** All objects of one resource at one revision. Scans hand out chunks so that callers can pause between them. */
export interface Snapshot {
  readonly revision: Revision;
  /** @throws StoreError when it has to read the store and cannot */
  get(key: string): Promise<Entry | undefined>;
  /** `size`: of a chunk, where the caller knows how many it needs. */
  chunks(range: KeyRange, size?: number): AsyncIterable<Entry[]>;
  count(range: KeyRange): Promise<number>;
}

/** Entries per chunk: about a millisecond of work for the caller. */
const SNAPSHOT_CHUNK = 500;

/** A frozen view of a replica's map. */
export class MemorySnapshot implements Snapshot {
  readonly revision: Revision;
  readonly items: ReadonlyOrderedMap<Entry>;

  /** Those of the collection, whichever its revision is by now. */
  readonly indexes: CollectionIndexes;

  constructor(revision: Revision, items: ReadonlyOrderedMap<Entry>, indexes: CollectionIndexes) {
    this.revision = revision;
    this.items = items;
    this.indexes = indexes;
  }

  get(key: string): Promise<Entry | undefined> {
    return Promise.resolve(this.items.get(key));
  }

  // oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
  async *chunks({ start, end }: KeyRange, size = SNAPSHOT_CHUNK): AsyncIterable<Entry[]> {
    yield* this.items.parts(start, end, size);
  }

  count({ start, end }: KeyRange): Promise<number> {
    return Promise.resolve(this.items.count(start, end));
  }
}

/** One object as the store holds it: its newest state, or that of a revision. */
export async function storedEntry(
  store: Store,
  prefix: string,
  key: string,
  options: ReadOptions,
): Promise<Entry | undefined> {
  const { item } = await store.get(prefix + key, options);
  return item === undefined ? undefined : Entry.fromStored(key, item.value, item.revision);
}

/** The store's own history, for revisions that memory does not hold (any more). */
export class StoreSnapshot implements Snapshot {
  readonly revision: Revision;
  readonly #store: Store;
  readonly #prefix: string;
  readonly #signal: AbortSignal | undefined;
  #firstPage: ListResult | undefined;

  constructor(store: Store, prefix: string, revision: Revision, signal?: AbortSignal) {
    this.#store = store;
    this.#prefix = prefix;
    this.revision = revision;
    this.#signal = signal;
  }

  async get(key: string): Promise<Entry | undefined> {
    return storedEntry(this.#store, this.#prefix, key, this.#options());
  }

  /** Shows that the revision can be read, and keeps what was read of it. */
  async readFirstPage(): Promise<void> {
    this.#firstPage = await this.#page(undefined);
  }

  async *chunks({ start, end }: KeyRange): AsyncIterable<Entry[]> {
    // The store's ranges are prefixes with "after"; the key before `start` bounds from below.
    let after = start === '' ? undefined : this.#prefix + keyBefore(start);
    for (;;) {
      const known = after === undefined ? this.#firstPage : undefined;
      const page: ListResult = known ?? (await this.#page(after));
      const entries: Entry[] = [];
      let pastEnd = false;
      for (const item of page.items) {
        const key = item.key.slice(this.#prefix.length);
        pastEnd = end !== undefined && key >= end;
        if (pastEnd) break;
        if (key >= start) entries.push(Entry.fromStored(key, item.value, item.revision));
      }
      if (entries.length > 0) yield entries;
      if (pastEnd || !page.more) return;
      after = page.items.at(-1)?.key;
    }
  }

  #page(after: string | undefined): Promise<ListResult> {
    return this.#store.list({
      prefix: this.#prefix,
      limit: SNAPSHOT_CHUNK,
      ...(after === undefined ? {} : { after }),
      ...this.#options(),
    });
  }

  /** Counts by reading: only a list with a limit at an old revision asks for it. */
  async count(range: KeyRange): Promise<number> {
    let count = 0;
    for await (const entries of this.chunks(range)) count += entries.length;
    return count;
  }

  #options(): { revision: Revision; signal?: AbortSignal } {
    return {
      revision: this.revision,
      ...(this.#signal === undefined ? {} : { signal: this.#signal }),
    };
  }
}

/**
 * A key that sorts before `start` with at most a few real keys in between
 * (those are skipped by the caller): the last character lowered by one.
 */
function keyBefore(start: string): string {
  const last = start.charCodeAt(start.length - 1);
  const head = start.slice(0, -1);
  return last <= 1 ? head : head + String.fromCharCode(last - 1) + '\u{7f}';
}
