import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Revision } from '../../api/revision.ts';
import type { ReadTransaction } from './environment.ts';
import type { KeyRange } from './key-range.ts';
import { decodeLogRecord, encodePosition, LAST_INDEX } from './record.ts';
import type { Table, TableEntry } from './table.ts';

/** More than these are not taken back: the versions of each key are read instead. */
const MAX_EVENTS = 50_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Events that are read before others get the event loop: about 2 ms, as a list's. */
const EVENTS_PER_TURN = 500;

/**
 * What has been written since a revision, so that the state at that revision can
 * be read from the newest one: the load of a replica reads pages of one revision
 * while objects expire, and looking at the versions of each key takes twice as long.
 */
export class ChangesSince {
  readonly since: Revision;
  #until: Revision;
  #events = 0;
  #bytes = 0;
  /** By key: where its value lay at `since`; undefined for a key that did not exist. */
  readonly #before = new Map<string, Buffer | undefined>();
  /** The keys that existed, in the order of their bytes; undefined: to be sorted. */
  #existed: TableEntry[] | undefined;

  constructor(since: Revision) {
    this.since = since;
    this.#until = since;
  }

  /**
   * Takes in the log up to `until`, in turns.
   *
   * @returns false when that is too much, or when a record cannot be read
   */
  async follow(log: Table, until: Revision, transaction: ReadTransaction): Promise<boolean> {
    if (this.#isTooMuch()) return false;
    if (until <= this.#until) return true;
    const start = encodePosition({ revision: this.#until, index: LAST_INDEX });
    const end = encodePosition({ revision: until, index: LAST_INDEX });
    let read = 0;
    for (const { key: position, value } of log.getRange({ start, end, transaction })) {
      const record = decodeLogRecord(value, position);
      if (record === undefined) return false;
      this.#add(record.key.toString(), record.previous);
      this.#events++;
      this.#bytes += value.length;
      if (this.#isTooMuch()) return false;
      if (++read % EVENTS_PER_TURN === 0) await nextTurn();
    }
    if (until > this.#until) this.#until = until;
    return true;
  }

  /** The entries of the state in a range, given the newest ones; the position stands first in each value. */
  undone(newest: readonly TableEntry[], range: KeyRange): TableEntry[] {
    const existed = this.#existedIn(range);
    const shown: TableEntry[] = [];
    let next = 0;
    for (const entry of newest) {
      for (; next < existed.length; next++) {
        const earlier = existed[next] as TableEntry;
        if (Buffer.compare(earlier.key, entry.key) >= 0) break;
        shown.push(earlier);
      }
      if (!this.#before.has(entry.key.toString())) shown.push(entry);
    }
    for (; next < existed.length; next++) shown.push(existed[next] as TableEntry);
    return shown;
  }

  #add(key: string, previous: Buffer | undefined): void {
    // The first event of a key tells how it was.
    if (this.#before.has(key)) return;
    // A copy: a part would keep the whole record in memory.
    this.#before.set(key, previous === undefined ? undefined : Buffer.from(previous));
    this.#existed = undefined;
  }

  #isTooMuch(): boolean {
    return this.#events > MAX_EVENTS || this.#bytes > MAX_BYTES;
  }

  #existedIn({ start, end }: KeyRange): TableEntry[] {
    this.#existed ??= [...this.#before]
      .flatMap(([key, value]) => (value === undefined ? [] : [{ key: Buffer.from(key), value }]))
      .sort((a, b) => Buffer.compare(a.key, b.key));
    const existed = this.#existed;
    return existed.slice(firstFrom(existed, start), firstFrom(existed, end));
  }
}

/** Index of the first entry that is not before the key. */
function firstFrom(sorted: readonly TableEntry[], key: Buffer): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare((sorted[middle] as TableEntry).key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
