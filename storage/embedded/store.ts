import { rename, rm } from 'node:fs/promises';
import type { Revision } from '../../api/revision.ts';
import { StoreError, cancelledError, closedError, isStoreError } from '../errors.ts';
import type {
  CallOptions,
  GetResult,
  ListOptions,
  ListResult,
  ReadOptions,
  Store,
  StoreDescription,
  StoreHealth,
  WatchBatch,
  WatchOptions,
  WriteOptions,
} from '../interface.ts';
import type { PagesAhead } from '../pages-ahead.ts';
import type { Transaction, WriteResult } from '../outcomes.ts';
import { WriteVerbs } from '../write-verbs.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { Compaction } from './compaction.ts';
import type { Environment } from './environment.ts';
import type { Expiry } from './expiry.ts';
import { encodeKey } from './key-range.ts';
import type { LogReader } from './log-reader.ts';
import type { Meta } from './meta.ts';
import type { Newest } from './newest.ts';
import type { ProcessLock } from './process-lock.ts';
import type { UncleanEnds } from './unclean-ends.ts';
import type { Reader } from './reader.ts';
import { decodeStateRecord, FORMAT } from './record.ts';
import type { Space } from './space.ts';
import { WatchCursor } from './watch.ts';
import { addedBytes, MAX_WRITE_BYTES, OPERATION_OVERHEAD_BYTES } from './write-size.ts';

interface EmbeddedStoreParts {
  lock: ProcessLock;
  ends: UncleanEnds;
  environment: Environment;
  meta: Meta;
  newest: Newest;
  space: Space;
  queue: CommitQueue;
  reader: Reader;
  pages: PagesAhead;
  log: LogReader;
  compaction: Compaction;
  expiry: Expiry;
  watches: Set<WatchCursor>;
}

interface BareConflict {
  /** A conflict is told without what stands there: who asks for another process lets that read it. */
  readonly bareConflict?: boolean;
}

/** The Store in one file of one process, for where etcd is too much. */
export class EmbeddedStore extends WriteVerbs implements Store {
  readonly maxValueBytes = MAX_WRITE_BYTES;
  readonly #parts: EmbeddedStoreParts;
  /** What reads over several turns of the event loop; the file must not go away under it. */
  readonly #busy = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(parts: EmbeddedStoreParts) {
    super();
    this.#parts = parts;
  }

  async get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    this.#checkOpen(options);
    const result = this.#parts.reader.get(key, options);
    this.#parts.newest.told(result.revision);
    return Promise.resolve(result);
  }

  async list(options: ListOptions): Promise<ListResult> {
    this.#checkOpen(options);
    const result = await this.#keepOpen(this.#parts.pages.list(options));
    this.#parts.newest.told(result.revision);
    return result;
  }

  watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    return {
      [Symbol.asyncIterator]: () => {
        const { log, watches } = this.#parts;
        const cursor = new WatchCursor(log, options, (closed) => void watches.delete(closed));
        if (this.#closing === undefined) watches.add(cursor);
        else cursor.fail(closedError());
        return cursor;
      },
    };
  }

  async currentRevision(options: CallOptions = {}): Promise<Revision> {
    this.#checkOpen(options);
    const { meta, newest } = this.#parts;
    const { revision } = meta;
    newest.told(revision);
    return Promise.resolve(revision);
  }

  /** Not of a store that is closed or damaged: asking it says so. */
  newestRevision(): Revision | undefined {
    const { environment, newest } = this.#parts;
    return this.#closing === undefined && !environment.isCorrupt ? newest.revision : undefined;
  }

  requestProgress(): Promise<boolean> {
    for (const watch of this.#parts.watches) watch.requestProgress();
    return Promise.resolve(true);
  }

  async compact(revision: Revision, options: CallOptions = {}): Promise<void> {
    this.#checkOpen(options);
    await this.#parts.compaction.compact(revision, options.signal);
  }

  async checkHealth(options: CallOptions = {}): Promise<StoreHealth> {
    this.#checkOpen(options);
    const { space, queue } = this.#parts;
    const shortage = space.room()(OPERATION_OVERHEAD_BYTES);
    if (shortage !== undefined) return { writesRefused: shortage.message };
    try {
      // A commit of nothing shows that the disk takes writes.
      await queue.submit({ bytes: 0, signal: options.signal, run: () => undefined });
      return { writesRefused: undefined };
    } catch (error) {
      this.#checkOpen(options);
      if (!isStoreError(error)) throw error;
      return { writesRefused: error.message };
    }
  }

  async describe(options: CallOptions = {}): Promise<StoreDescription> {
    this.#checkOpen(options);
    return Promise.resolve({
      kind: 'embedded',
      version: `format ${FORMAT}`,
      sizeBytes: this.#parts.space.usedBytes(),
      limitations: ['The embedded store serves one process; several servers need etcd.'],
    });
  }

  /**
   * Writes a consistent copy of the whole store to `file` while it is in use: the
   * data file of a new data directory. An older copy is replaced when the new
   * one is complete.
   *
   * @throws StoreError
   */
  async backup(file: string): Promise<void> {
    this.#checkOpen({});
    const partial = `${file}.partial`;
    try {
      await rm(partial, { force: true });
      await this.#keepOpen(this.#parts.environment.copyTo(partial));
      await rename(partial, file);
    } catch (error) {
      if (isStoreError(error)) throw error;
      throw new StoreError('unavailable', `the store could not be copied to ${file}`, {
        cause: error,
      });
    }
  }

  /** The remaining time to live of a key, for copies to another store; undefined when it does not expire. */
  ttlSeconds(key: string): number | undefined {
    const { environment, expiry } = this.#parts;
    const bytes = environment.tables.state.get(encodeKey(key));
    const { deadline } = bytes === undefined ? { deadline: 0n } : decodeStateRecord(bytes);
    return deadline === 0n ? undefined : expiry.remainingSeconds(deadline);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { lock, ends, environment, queue, pages, compaction, expiry, watches } = this.#parts;
    for (const watch of [...watches]) watch.fail(closedError());
    await expiry.close();
    await compaction.close();
    await queue.close();
    // not waited for: a thread that still reads has the file by itself
    void pages.close();
    await Promise.allSettled(this.#busy);
    await environment.close();
    if (!environment.isCorrupt) ends.clear();
    await lock.release();
  }

  /** Forgets what processes that have ended were reading, so that its pages can be used again. */
  forgetDeadReaders(): void {
    if (this.#closing === undefined) this.#parts.environment.forgetDeadReaders();
  }

  /** Also for the transactions of other processes. @throws StoreError (also as rejection) */
  override write(
    transaction: Transaction,
    { ttlSeconds, signal, caller, bareConflict = false }: WriteOptions & BareConflict,
  ): Promise<WriteResult> {
    this.#checkOpen({});
    const bytes = addedBytes(transaction);
    const { queue, expiry } = this.#parts;
    const deadline = ttlSeconds === undefined ? 0n : expiry.deadline(ttlSeconds);
    const written = queue.submit({
      bytes,
      signal,
      caller,
      run: (writer) => writer.execute(transaction, deadline, bareConflict),
    });
    if (deadline === 0n) return written;
    return written.then((result) => {
      expiry.schedule();
      return result;
    });
  }

  async #keepOpen<T>(work: Promise<T>): Promise<T> {
    this.#busy.add(work);
    try {
      return await work;
    } finally {
      this.#busy.delete(work);
    }
  }

  #checkOpen({ signal }: CallOptions): void {
    if (this.#closing !== undefined) throw closedError();
    if (signal?.aborted !== true) return;
    throw cancelledError(signal);
  }
}
