import type { Database, GetOptions, RangeOptions } from 'lmdb';
import type { Corruption } from './corruption.ts';

declare module 'lmdb' {
  interface Database<V, K extends Key> {
    /** Its types leave out the options, which it takes as `get` does. */
    getBinaryFast(id: K, options?: GetOptions): Buffer | undefined;
  }
}

/** One entry of a table. */
export interface TableEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Where to read from and to, both keys; of a transaction, or the newest state. */
type TableRange = Pick<RangeOptions, 'limit' | 'reverse' | 'transaction'> & {
  readonly start: Buffer;
  readonly end: Buffer;
};

interface Stats {
  entryCount: number;
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** One table of the database. A damaged tree is a StoreError `corrupt`, in reads and in writes. */
export class Table {
  readonly #database: Database<Buffer, Buffer>;
  readonly #corruption: Corruption;

  constructor(database: Database<Buffer, Buffer>, corruption: Corruption) {
    this.#database = database;
    this.#corruption = corruption;
  }

  get(key: Buffer, options?: GetOptions): Buffer | undefined {
    try {
      return this.#database.get(key, options);
    } catch (error) {
      throw this.#corruption.ofRead(error);
    }
  }

  /**
   * The same without a copy: the bytes are the next read's to overwrite, of this
   * table or another. Only `copy` tells where they end.
   */
  peek(key: Buffer, options?: GetOptions): Buffer | undefined {
    try {
      return this.#database.getBinaryFast(key, options);
    } catch (error) {
      throw this.#corruption.ofRead(error);
    }
  }

  *getRange(range: TableRange): Generator<TableEntry, void> {
    try {
      yield* this.#database.getRange({ ...range });
    } catch (error) {
      throw this.#corruption.ofRead(error);
    }
  }

  *getKeys(range: TableRange): Generator<Buffer, void> {
    try {
      yield* this.#database.getKeys({ ...range });
    } catch (error) {
      throw this.#corruption.ofRead(error);
    }
  }

  countKeys(range: TableRange): number {
    try {
      const count = this.#database.getKeysCount({ ...range });
      // A count ends at a damaged page without an error; the next read of the transaction fails.
      const { transaction } = range;
      this.#database.get(range.start, transaction === undefined ? undefined : { transaction });
      return count;
    } catch (error) {
      throw this.#corruption.ofRead(error);
    }
  }

  /** Within a transaction only. `append`: the key is greater than all others. */
  putSync(key: Buffer, value: Buffer, options: { append?: boolean } = {}): void {
    try {
      this.#database.putSync(key, value, options);
    } catch (error) {
      throw this.#corruption.of(error);
    }
  }

  /** Within a transaction only. */
  removeSync(key: Buffer): void {
    try {
      this.#database.removeSync(key);
    } catch (error) {
      throw this.#corruption.of(error);
    }
  }

  /**
   * Reads every entry.
   *
   * @throws StoreError `corrupt`
   */
  readAll(): void {
    try {
      let entries = 0;
      for (const entry of this.#database.getRange({})) entries += entry.key.length > 0 ? 1 : 0;
      const all = this.entries();
      if (entries === all) return;
      throw new Error(`${entries} of ${all} entries can be read`);
    } catch (error) {
      throw this.#corruption.found(error);
    }
  }

  #stats(): Stats {
    return this.#database.getStats() as Stats;
  }

  /** How many there are. */
  entries(): number {
    return this.#stats().entryCount;
  }

  /** Bytes of the pages that hold something. */
  usedBytes(): number {
    const stats = this.#stats();
    const pages = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
    return pages * stats.pageSize;
  }
}
