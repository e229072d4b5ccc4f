import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'unclean-ends';

/**
 * Counts the processes in a row that have opened the store and not closed it: a
 * damaged page can end a process in the middle of a read, without a word that
 * the next one would find. A count that cannot be written, on a full disk for
 * example, is not kept.
 *
 * A process that was killed from outside while it served does not count, where
 * its parent has seen that: no read has ended it.
 */
export class UncleanEnds {
  /** How many were there when this process began. */
  readonly before: number;
  readonly #file: string;

  /** `afterKill`: the last process was killed from outside. */
  constructor(dir: string, afterKill = false) {
    this.#file = join(dir, FILE);
    this.before = Math.max(0, readCount(this.#file) - (afterKill ? 1 : 0));
  }

  /** This process counts until it has closed the store. */
  count(): void {
    this.#write(this.before + 1);
  }

  /** This process has not opened the store after all. */
  uncount(): void {
    if (this.before === 0) this.clear();
    else this.#write(this.before);
  }

  /** The store is closed in order. */
  clear(): void {
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // It costs one look at the pages.
    }
  }

  #write(count: number): void {
    try {
      writeFileSync(this.#file, `${count}\n`, { mode: 0o600 });
    } catch {
      // See above.
    }
  }
}

function readCount(file: string): number {
  try {
    const count = Number.parseInt(readFileSync(file, 'latin1'), 10);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    return 0;
  }
}
