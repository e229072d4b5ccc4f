import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { isStoreError, StoreError } from '../errors.ts';
import { CommitError, type Environment } from './environment.ts';

/** What stays free on the disk for deletes and compaction, which need room to make room. */
const DISK_RESERVE_BYTES = 16 * 1024 * 1024;
/** A transaction writes new copies of the pages that it changes: some times the size of its values. */
const WRITE_AMPLIFICATION = 4;
/** Counting pages costs some microseconds: done after this many bytes or commits. */
const RECOUNT_BYTES = 4 * 1024 * 1024;
const RECOUNT_COMMITS = 64;

const LMDB_MAP_FULL = -30_792;
const { ENOSPC, EDQUOT, EIO } = constants.errno;
const EFBIG = constants.errno.EFBIG;

/**
 * Watches over the room that the store has: a quota of its own, because LMDB
 * needs room to delete and must never be filled to the brim, and what is free on
 * the disk.
 */
export class Space {
  readonly #directory: string;
  readonly #environment: Environment;
  readonly #maxBytes: number;
  #used = 0;
  #writtenSince = Number.POSITIVE_INFINITY;
  #commitsSince = 0;

  constructor(directory: string, environment: Environment, maxBytes: number) {
    this.#directory = directory;
    this.#environment = environment;
    this.#maxBytes = maxBytes;
  }

  /**
   * Tells for several writes of one moment why there is no room for so many bytes more,
   * undefined when there is. The disk is asked once, which takes 5 µs.
   */
  room(): (bytes: number) => StoreError | undefined {
    let free: number | StoreError | undefined;
    return (bytes) => this.#shortage(bytes, () => (free ??= this.#freeOnDisk()));
  }

  #shortage(bytes: number, freeOnDisk: () => number | StoreError): StoreError | undefined {
    const needed = bytes * WRITE_AMPLIFICATION;
    // The estimate is on the safe side: before a write is refused, the pages are counted.
    if (this.usedBytes() + needed > this.#maxBytes && this.#count() + needed > this.#maxBytes) {
      return new StoreError(
        'outOfSpace',
        `the store holds ${this.#used} bytes of the ${this.#maxBytes} it may: delete or compact`,
      );
    }
    const free = freeOnDisk();
    if (free instanceof StoreError) return free;
    if (free < DISK_RESERVE_BYTES + needed) {
      return new StoreError('outOfSpace', `the disk of ${this.#directory} is full`);
    }
    return undefined;
  }

  /** Bytes in use, exact at times and estimated from above in between. */
  usedBytes(): number {
    const recount = this.#writtenSince > RECOUNT_BYTES || this.#commitsSince > RECOUNT_COMMITS;
    return recount ? this.#count() : this.#used + this.#writtenSince;
  }

  #count(): number {
    this.#used = this.#environment.usedBytes();
    this.#writtenSince = 0;
    this.#commitsSince = 0;
    return this.#used;
  }

  committed(bytes: number): void {
    this.#writtenSince += bytes * 2;
    this.#commitsSince++;
  }

  /** What a commit that failed means for those who waited for it; nothing has been written. */
  explain(error: unknown): StoreError {
    if (isStoreError(error)) return error;
    const errno = error instanceof CommitError ? error.errno : undefined;
    // LMDB reports a write that the disk took in part as an I/O error.
    const full =
      errno === ENOSPC ||
      errno === EDQUOT ||
      errno === EFBIG ||
      errno === LMDB_MAP_FULL ||
      (errno === EIO && this.#isDiskFull());
    return full
      ? new StoreError('outOfSpace', `the disk of ${this.#directory} is full`, { cause: error })
      : new StoreError('unavailable', 'the store could not write', { cause: error });
  }

  #isDiskFull(): boolean {
    const free = this.#freeOnDisk();
    return !(free instanceof StoreError) && free < DISK_RESERVE_BYTES;
  }

  /** Free bytes, or the error that prevents measuring them, which a waiting write receives. */
  #freeOnDisk(): number | StoreError {
    try {
      const { bavail, bsize } = statfsSync(this.#directory);
      return bavail * bsize;
    } catch (error) {
      const message = `the disk of ${this.#directory} does not say what is free`;
      return new StoreError('unavailable', message, { cause: error });
    }
  }
}
