import { open, type RootDatabase } from 'lmdb';
import { isStoreError, type StoreError } from '../errors.ts';
import { Corruption } from './corruption.ts';
import { Table } from './table.ts';

export interface Tables {
  readonly log: Table;
  readonly state: Table;
  readonly versions: Table;
  readonly expiry: Table;
  readonly meta: Table;
}

/** LMDB's own limit for a key, less what a version adds to it. */
export const MAX_KEY_BYTES = 1_900;
/** Long lists that read at the same time, each on a state of its own. */
export const MAX_READERS = 1_024;
const TABLE_NAMES = ['log', 'state', 'versions', 'expiry', 'meta'] as const;

/** A commit failed as a whole; nothing of it has happened. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
  /** Number of the operating system (positive) or of LMDB (negative). */
  readonly errno: number | undefined;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'commit failed', { cause });
    const { code } = cause as { code?: unknown };
    this.errno = typeof code === 'number' ? code : undefined;
  }
}

interface EnvironmentOptions {
  /** A read-only environment may be open while another process writes. */
  readonly readOnly?: boolean;
  /** Called once, when the file turns out to be corrupted: what is read and written fails from then on. */
  readonly onCorrupt?: ((error: StoreError) => void) | undefined;
}

/**
 * The LMDB environment: one file, read by memory mapping on the event loop,
 * written by one transaction at a time whose commit (with its fsync) runs on a
 * thread.
 */
export class Environment {
  readonly tables: Tables;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #corruption: Corruption;

  /** @throws StoreError `corrupt`, or what LMDB says */
  constructor(
    file: string,
    mapBytes: number,
    { readOnly = false, onCorrupt }: EnvironmentOptions = {},
  ) {
    this.#corruption = new Corruption(file, onCorrupt ?? (() => undefined));
    try {
      this.#root = openFile(file, mapBytes, readOnly);
      this.tables = {
        log: this.#table('log'),
        state: this.#table('state'),
        versions: this.#table('versions'),
        expiry: this.#table('expiry'),
        meta: this.#table('meta'),
      };
    } catch (error) {
      throw this.#corruption.of(error);
    }
  }

  /**
   * Runs `action`, which must be synchronous, in a transaction; resolves when it
   * is durable. When `action` throws, nothing of it has happened: the work is
   * done in a nested transaction, because an error in a plain one would not keep
   * LMDB's binding from committing what was written before it.
   *
   * @throws CommitError, StoreError `corrupt`, or what `action` throws
   */
  async transaction<T>(action: () => T): Promise<T> {
    let thrown: { error: unknown } | undefined;
    try {
      return await this.#root.childTransaction(() => {
        try {
          return action();
        } catch (error) {
          thrown = { error };
          throw error;
        }
      });
    } catch (error) {
      // The cause arrives in a separate promise.
      const { commitError } = error as { commitError?: Promise<never> };
      const cause = await commitError?.catch((reason: unknown) => reason);
      if (thrown !== undefined) throw thrown.error;
      const corrupt = this.#corruption.of(cause ?? error);
      throw isStoreError(corrupt) ? corrupt : new CommitError(corrupt);
    } finally {
      this.#root.resetReadTxn();
    }
  }

  /** Reads see what other processes have committed; otherwise a read may show the state of the same moment as the one before. */
  refresh(): void {
    this.#root.resetReadTxn();
  }

  /** Processes that were killed while they read. */
  forgetDeadReaders(): void {
    this.#root.readerCheck();
  }

  /** Runs reads over several turns of the event loop on one and the same state. */
  async snapshot<T>(action: (transaction: ReadTransaction) => Promise<T>): Promise<T> {
    this.#root.resetReadTxn();
    const transaction = this.#root.useReadTransaction();
    try {
      return await action(transaction);
    } finally {
      transaction.done();
    }
  }

  /** Bytes of all pages that hold something. Pages that were freed are used again and do not count. */
  usedBytes(): number {
    let bytes = 0;
    for (const name of TABLE_NAMES) bytes += this.tables[name].usedBytes();
    return bytes;
  }

  /** The file has turned out to be corrupted. */
  get isCorrupt(): boolean {
    return this.#corruption.isFound;
  }

  /** Reads every entry of every table. @throws StoreError `corrupt` */
  readAll(): void {
    for (const name of TABLE_NAMES) this.tables[name].readAll();
  }

  /** A consistent copy while writes go on. */
  async copyTo(file: string): Promise<void> {
    try {
      await this.#root.backup(file, true);
    } catch (error) {
      throw this.#corruption.of(error);
    }
  }

  close(): Promise<void> {
    return this.#root.close();
  }

  #table(name: string): Table {
    const options = { name, encoding: 'binary', keyEncoding: 'binary', cache: false } as const;
    return new Table(this.#root.openDB<Buffer, Buffer>(options), this.#corruption);
  }
}

function openFile(path: string, mapSize: number, readOnly: boolean): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({
    path,
    noSubdir: true,
    readOnly,
    // A commit is answered when it is on the disk, not when it is on its way there.
    overlappingSync: false,
    // Batching is done by the commit queue, which knows what belongs together.
    eventTurnBatching: false,
    // While a transaction waits for this thread, LMDB's sleeps; else it looks after 1, 2, 4, … ms each time.
    strictAsyncOrder: true,
    mapSize,
    maxDbs: TABLE_NAMES.length,
    maxReaders: MAX_READERS,
    encoding: 'binary',
    keyEncoding: 'binary',
    cache: false,
  });
}

export type ReadTransaction = ReturnType<RootDatabase['useReadTransaction']>;
