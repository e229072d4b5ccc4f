import type { CancelSignal } from '../api/cancel-signal.ts';
import type { Revision } from '../api/revision.ts';

/**
 * The Store: one ordered log of revisions over a flat space of keys, and the
 * current state that the log adds up to. Two implementations (etcd, embedded)
 * pass one contract suite (test/contract/store.ts).
 *
 * Rules that hold for every implementation:
 * - A transaction that changes something gets one revision, greater than all
 *   before it. A transaction whose condition fails changes nothing and gets none.
 * - A write is answered only when it is durable; what was answered is never lost.
 * - Expected outcomes (exists, missing, conflict) are values. Only failures of
 *   the environment throw, always a {@link StoreError}.
 * - Keys are UTF-8 text without NUL, ordered by their bytes. Values are opaque bytes.
 * - Key and value in results belong to the caller, who must not change them.
 */
export interface Store {
  /** A larger value is not taken; undefined: how much fits is known when it is written. */
  readonly maxValueBytes: number | undefined;
  get(key: string, options?: ReadOptions): Promise<GetResult>;
  list(options: ListOptions): Promise<ListResult>;
  /** Writes the key if it does not exist, all updates can be made with it and all guards hold. */
  create(key: string, value: Uint8Array, options?: CreateOptions): Promise<CreateOutcome>;
  /** Replaces the value if the key was last written at `expected`. */
  update(
    key: string,
    value: Uint8Array,
    expected: Revision,
    options?: WriteOptions,
  ): Promise<UpdateOutcome>;
  /** Removes the key if it was last written at `expected`. */
  delete(key: string, expected: Revision, options?: CallOptions): Promise<DeleteOutcome>;
  /**
   * All of the writes in one transaction at one revision, or none of them.
   * At most {@link MAX_BATCH} operations, each on another key.
   */
  batch(operations: readonly BatchOperation[], options?: CallOptions): Promise<BatchOutcome>;
  /**
   * The log from `from` on (inclusive) under a prefix, for as long as the
   * caller iterates. Each batch holds all events of one or more complete
   * revisions, in order; none is missing, repeated or split over two batches.
   * Survives lost connections by itself. An empty batch tells progress:
   * everything up to its revision has been delivered.
   *
   * @throws StoreError `compacted` when the log before has been cut,
   *   `futureRevision` never (it waits), `reset` when the store's history is
   *   not the one that was read before (restored backup)
   */
  watch(options: WatchOptions): AsyncIterable<WatchBatch>;
  /** The newest revision at some moment after the call: what a linearizable read has to reach. */
  currentRevision(options?: CallOptions): Promise<Revision>;
  /**
   * The same where it can be told at once, because only this process writes or
   * because the file shows it; undefined, or absent: it has to be asked for.
   */
  newestRevision?(): Revision | undefined;
  /**
   * Asks that every open watch tells its progress soon (an empty batch).
   * Resolves false when this store cannot do so safely.
   */
  requestProgress(): Promise<boolean>;
  /**
   * Forgets history before `revision`: reads at older revisions and watches
   * from older ones fail with `compacted`. The current state is untouched.
   */
  compact(revision: Revision, options?: CallOptions): Promise<void>;
  /**
   * Can it be read, and does it take writes? A store that can be read is well.
   *
   * @throws StoreError that says why it cannot be read
   */
  checkHealth(options?: CallOptions): Promise<StoreHealth>;
  /** Version, size and what the store cannot do; for logs and metrics. */
  describe(options?: CallOptions): Promise<StoreDescription>;
  close(): Promise<void>;
}

export interface StoreHealth {
  /** Why the store refuses writes, in one line; undefined when it takes them. */
  readonly writesRefused: string | undefined;
}

/**
 * etcd takes at most 128 operations in a transaction, comparisons counted apart;
 * some are left for the store's own bookkeeping.
 */
export const MAX_BATCH = 120;

export interface CallOptions {
  signal?: CancelSignal | undefined;
  /**
   * Whose call it is. Of writes that are done at the same time callers are
   * answered in turns, so that who wrote one does not wait for who wrote many.
   * Absent: the server's own.
   */
  caller?: string | undefined;
}

export interface ReadOptions extends CallOptions {
  /** Exactly this revision; absent: the newest, linearizable. */
  revision?: Revision;
}

export interface WriteOptions extends CallOptions {
  /** The key vanishes this long after this write, by itself, with a delete event in the log. */
  ttlSeconds?: number | undefined;
}

export interface CreateOptions extends WriteOptions {
  /** A few: each is one more comparison in the transaction. */
  guards?: readonly Guard[];
  /** Other keys that change in the same transaction, at the same revision; without a time to live. */
  updates?: readonly UpdateOperation[] | undefined;
  /** The value holds an id that was made for this write: it is in no other value until it has been written. */
  unique?: boolean | undefined;
}

/** What must hold of another key at the revision of a write: it was last written at `revision`. */
export interface Guard {
  readonly key: string;
  readonly revision: Revision;
}

export interface ListOptions extends ReadOptions {
  prefix: string;
  /** Only keys after this one; with `limit` the last key of the page before. */
  after?: string;
  /** Only keys up to this one, which is among them. */
  upTo?: string;
  /** At most so many items; `page`: as many as suit the store, for who reads on until all is read; absent: all. */
  limit?: number | 'page';
  /** Count all keys under the prefix that are `after` the given one and not behind `upTo`, too. */
  count?: boolean;
  /** Keys and revisions only: values are empty. */
  keysOnly?: boolean;
  /** Objects may come finished, in memory of so many bytes; only with `limit: 'page'`. */
  slabBytes?: number;
}

export interface WatchOptions extends CallOptions {
  prefix: string;
  from: Revision;
  /** False: events come without what was there before, which the store then need not read. */
  previous?: boolean | undefined;
  /** Told each time that following has failed and is tried again. */
  onRetry?: () => void;
}

export interface StoredItem {
  readonly key: string;
  readonly value: Buffer;
  /** Revision that wrote this value. */
  readonly revision: Revision;
}

export interface GetResult {
  /** The revision that the read shows: for a plain read at least as new as the call. */
  readonly revision: Revision;
  readonly item?: StoredItem;
}

/** Objects of one resource with the bytes that are served, which fill one memory. */
export interface FinishedPart {
  /** The resource's part of their keys. */
  readonly prefix: string;
  /** What follows it in each key. */
  readonly keys: readonly string[];
  readonly revisions: BigUint64Array<ArrayBuffer>;
  readonly memory: Uint8Array<ArrayBuffer>;
  /** Four for each object: where its bytes end, and in them the metadata's beginning and end; the index of its labels. */
  readonly shapes: Uint32Array<ArrayBuffer>;
  /** Texts of labels, each once. */
  readonly labels: readonly string[];
}

export interface ListResult {
  readonly revision: Revision;
  readonly items: StoredItem[];
  /** More items follow the last one. */
  readonly more: boolean;
  /** True when each value is as a server has stored it: the store has compared it with its checksum, or has read it. */
  readonly checked?: boolean;
  /** Instead of items: objects as they are served. */
  readonly finished?: FinishedPart;
  /** Number of keys in the range without the limit, when asked for. */
  readonly count?: number;
}

export type CreateOutcome =
  | { readonly outcome: 'ok'; readonly revision: Revision }
  | { readonly outcome: 'exists'; readonly current: StoredItem }
  /** The key does not exist, but one of the updates expects another revision than there is. */
  | { readonly outcome: 'outdated' }
  /** The key does not exist, but `guard` does not hold, the first of those given. */
  | { readonly outcome: 'guarded'; readonly guard: Guard };

export type UpdateOutcome =
  | { readonly outcome: 'ok'; readonly revision: Revision }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'conflict'; readonly current: StoredItem };

export type DeleteOutcome = UpdateOutcome;

export interface UpdateOperation {
  readonly key: string;
  readonly value: Uint8Array;
  readonly expected: Revision;
}

export type BatchOperation =
  | { readonly op: 'create'; readonly key: string; readonly value: Uint8Array }
  | ({ readonly op: 'update' } & UpdateOperation)
  | { readonly op: 'delete'; readonly key: string; readonly expected: Revision };

export type BatchOutcome =
  | { readonly outcome: 'ok'; readonly revision: Revision }
  /** The key of the first operation whose condition did not hold, and what stands there. */
  | { readonly outcome: 'conflict'; readonly key: string; readonly current?: StoredItem };

export interface WatchBatch {
  /** Everything up to and including this revision has now been delivered. */
  readonly revision: Revision;
  readonly events: readonly StoreEvent[];
  /** As {@link ListResult.checked}, of the values that events put. */
  readonly checked?: boolean;
}

export type StoreEvent =
  | {
      readonly type: 'put';
      readonly key: string;
      readonly value: Buffer;
      readonly revision: Revision;
      /** True when the key did not exist before. */
      readonly created: boolean;
      /**
       * The value before, when the store still knows it; absent for a created
       * key, and after a compaction even for an updated one.
       */
      readonly previous?: StoredItem;
    }
  | {
      readonly type: 'delete';
      readonly key: string;
      readonly revision: Revision;
      readonly previous?: StoredItem;
    };

export interface StoreDescription {
  /** `etcd` or `embedded`. */
  readonly kind: string;
  readonly version: string;
  readonly sizeBytes: number;
  /** What the store cannot do, one sentence each, for the log at start. */
  readonly limitations: readonly string[];
}
