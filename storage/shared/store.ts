import { NO_REVISION, type Revision } from '../../api/revision.ts';
import type { Environment } from '../embedded/environment.ts';
import { LogReader } from '../embedded/log-reader.ts';
import type { Meta } from '../embedded/meta.ts';
import { Reader } from '../embedded/reader.ts';
import { FORMAT } from '../embedded/record.ts';
import { WatchCursor } from '../embedded/watch.ts';
import { addedBytes, MAX_WRITE_BYTES } from '../embedded/write-size.ts';
import { cancelledError, closedError, isStoreError } from '../errors.ts';
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
import type { Transaction, WriteResult } from '../outcomes.ts';
import { WriteVerbs } from '../write-verbs.ts';
import { type Channel, NO_OWNER } from './channel.ts';
import type { Answer } from './messages.ts';

interface SharedStoreParts {
  readonly environment: Environment;
  readonly meta: Meta;
  /** `onRevision` is told what the owner has committed. */
  readonly connect: (onRevision: (revision: Revision) => void) => Channel;
}

/**
 * The embedded store of another process: reads are reads of its file, writes are
 * its work. What the owner has committed is in the file before anyone is told,
 * so a read that begins with the newest state is linearizable without a message.
 */
export class SharedStore extends WriteVerbs implements Store {
  readonly maxValueBytes = MAX_WRITE_BYTES;
  readonly #environment: Environment;
  readonly #meta: Meta;
  readonly #channel: Channel;
  readonly #reader: Reader;
  readonly #log: LogReader;
  readonly #watches = new Set<WatchCursor>();
  /** What reads over several turns of the event loop; the file must not go away under it. */
  readonly #busy = new Set<Promise<unknown>>();
  /** The newest revision that watches have been woken for. */
  #seen = NO_REVISION;
  #closing: Promise<void> | undefined;

  constructor({ environment, meta, connect }: SharedStoreParts) {
    super();
    this.#environment = environment;
    this.#meta = meta;
    this.#reader = new Reader(environment, meta);
    this.#log = new LogReader(environment, meta);
    this.#channel = connect((revision) => {
      if (revision > this.#seen) this.#look();
    });
  }

  async get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    this.#checkOpen(options);
    this.#environment.refresh();
    return Promise.resolve(this.#reader.get(key, options));
  }

  async list(options: ListOptions): Promise<ListResult> {
    this.#checkOpen(options);
    this.#environment.refresh();
    const list = this.#reader.list(options);
    this.#busy.add(list);
    try {
      return await list;
    } finally {
      this.#busy.delete(list);
    }
  }

  watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    return {
      [Symbol.asyncIterator]: () => {
        const onClosed = (closed: WatchCursor): void => void this.#watches.delete(closed);
        const cursor = new WatchCursor(this.#log, options, onClosed);
        if (this.#closing === undefined) this.#watches.add(cursor);
        else cursor.fail(closedError());
        return cursor;
      },
    };
  }

  async currentRevision(options: CallOptions = {}): Promise<Revision> {
    this.#checkOpen(options);
    return Promise.resolve(this.#look());
  }

  /**
   * One look at the file, in the turn of the event loop that asks: a read that waits
   * for no promise takes a tenth less. Not of a store that is closed or damaged:
   * asking it says so.
   */
  newestRevision(): Revision | undefined {
    if (this.#closing !== undefined || this.#environment.isCorrupt) return undefined;
    try {
      return this.#look();
    } catch {
      return undefined;
    }
  }

  requestProgress(): Promise<boolean> {
    for (const watch of this.#watches) watch.requestProgress();
    return Promise.resolve(true);
  }

  async compact(revision: Revision, options: CallOptions = {}): Promise<void> {
    this.#checkOpen(options);
    answerOf('compacted', await this.#channel.ask({ kind: 'compact', revision }, options.signal));
  }

  async checkHealth(options: CallOptions = {}): Promise<StoreHealth> {
    this.#checkOpen(options);
    this.#look();
    if (!this.#channel.isConnected) return { writesRefused: NO_OWNER };
    try {
      const answer = await this.#channel.ask({ kind: 'health' }, options.signal);
      return answerOf('health', answer).health;
    } catch (error) {
      this.#checkOpen(options);
      if (!isStoreError(error)) throw error;
      return { writesRefused: error.message };
    }
  }

  async describe(options: CallOptions = {}): Promise<StoreDescription> {
    this.#checkOpen(options);
    this.#environment.refresh();
    return Promise.resolve({
      kind: 'embedded',
      version: `format ${FORMAT}`,
      sizeBytes: this.#environment.usedBytes(),
      limitations: ['The embedded store serves one machine; several machines need etcd.'],
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const watch of [...this.#watches]) watch.fail(closedError());
    this.#channel.close();
    await Promise.allSettled(this.#busy);
    await this.#environment.close();
  }

  protected override async write(
    transaction: Transaction,
    { ttlSeconds, signal, caller = '' }: WriteOptions,
  ): Promise<WriteResult> {
    this.#checkOpen({ signal });
    addedBytes(transaction);
    const request = { kind: 'write', transaction, ttlSeconds, caller } as const;
    for (;;) {
      const { result } = answerOf('written', await this.#channel.ask(request, signal));
      if (result.outcome !== 'conflict') return result;
      const { key } = result;
      const current = (await this.get(key, { signal })).item;
      if (current !== undefined) return { ...result, current };
      // what stood in the way has been deleted since: nothing has been written, so it is tried again
      if (isCreated(transaction, key)) continue;
      return result;
    }
  }

  /** The newest revision; watches go on when it is new here. */
  #look(): Revision {
    this.#environment.refresh();
    const { revision } = this.#meta;
    if (revision > this.#seen) {
      this.#seen = revision;
      for (const watch of this.#watches) watch.wake();
    }
    return revision;
  }

  #checkOpen({ signal }: CallOptions): void {
    if (this.#closing !== undefined) throw closedError();
    if (signal?.aborted !== true) return;
    throw cancelledError(signal);
  }
}

/** @throws what the owner has thrown */
function answerOf<K extends Answer['kind']>(kind: K, answer: Answer): Answer & { kind: K } {
  if (answer.kind === 'failed') throw answer.error;
  if (answer.kind !== kind) throw new Error(`the answer to another question: ${answer.kind}`);
  return answer as Answer & { kind: K };
}

function isCreated({ operations }: Transaction, key: string): boolean {
  return operations.some((operation) => operation.op === 'create' && operation.key === key);
}
