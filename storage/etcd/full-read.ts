import type { KeyValue } from './wire.ts';

/** Keys of the first page, of which nothing is known. */
const FIRST_PAGE = 1_000;
const MAX_PAGE = 10_000;
const PAGE_BYTES = 8 * 1024 * 1024;
/** How much farther than the page before a range reaches, so that it mostly has a page's keys. */
const REACH = 4;
/** A page that was too large is asked for again with so much fewer keys; the next ones have up to twice as many again. */
const SHRINK = 8;
const LAST_BYTE = 0xff;

/**
 * The pages of a read of everything, each by what the page before has shown. A
 * range with a limit makes etcd walk all keys up to its end, which for a million
 * keys took three quarters of its time. So a range ends not far behind the keys
 * that are wanted, as far as their names tell.
 */
export class FullRead {
  #last: Buffer | undefined;
  #first: Buffer | undefined;
  #size = FIRST_PAGE;
  /** Keys of a page at most: fewer after one that was too large to be answered. */
  #most = MAX_PAGE;
  /** Ranges in a row that ended before the page was full. */
  #short = 0;

  /** How many keys the page behind a key is to have. */
  sizeAfter(last: Buffer | undefined): number {
    return Math.min(this.#most, this.#follows(last) ? this.#size : FIRST_PAGE);
  }

  /** Where the range behind a key ends, which is at `rangeEnd` or before it. */
  endAfter(last: Buffer | undefined, rangeEnd: Buffer): Buffer {
    if (!this.#follows(last) || this.#first === undefined || last === undefined) return rangeEnd;
    const end = endBehind(this.#first, last, this.#short);
    return end === undefined || Buffer.compare(end, rangeEnd) > 0 ? rangeEnd : end;
  }

  /** So many keys made an answer that was too large: small objects may be followed by large ones. */
  tooLarge(size: number): void {
    this.#most = fewer(size);
  }

  /** What the range behind a key had; `more`: not all of it. */
  read(last: Buffer | undefined, kvs: readonly KeyValue[], more: boolean): void {
    const newest = kvs.at(-1);
    this.#short = more ? 0 : this.#short + 1;
    if (newest === undefined) return;
    // copies: the keys share the memory of their page
    this.#first = this.#follows(last) ? this.#last : Buffer.from((kvs[0] as KeyValue).key);
    this.#last = Buffer.from(newest.key);
    this.#size = pageLike(kvs, PAGE_BYTES);
    this.#most = Math.min(MAX_PAGE, this.#most * 2);
  }

  #follows(last: Buffer | undefined): boolean {
    return last !== undefined && this.#last?.equals(last) === true;
  }
}

/** For a page of `size` keys that was too large. */
export function fewer(size: number): number {
  return Math.max(1, Math.floor(size / SHRINK));
}

/** As many keys as are likely to fill a page of this size, after some that were read. */
export function pageLike(kvs: readonly { value: Buffer }[], targetBytes: number): number {
  let bytes = 0;
  for (const { value } of kvs) bytes += value.length;
  const perItem = Math.max(1, bytes / kvs.length);
  return Math.max(1, Math.min(MAX_PAGE, Math.floor(targetBytes / perItem)));
}

/**
 * A key behind `last`, about as many keys away as `first` is or a few times more.
 * After ranges that were too `short` it counts at an earlier byte, where one step
 * holds more keys. Undefined where no byte is early enough.
 */
function endBehind(first: Buffer, last: Buffer, short: number): Buffer | undefined {
  let at = 0;
  while (at < last.length - 1 && first[at] === last[at]) at++;
  const step = short === 0 ? REACH * ((last[at] as number) - (first[at] ?? 0)) : 0;
  // one byte, then two more, then four: few questions, however far the next key is
  at -= 2 ** short - 1;
  if (at < 0) return undefined;
  const end = Buffer.from(last.subarray(0, at + 1));
  end[at] = Math.min(LAST_BYTE, (last[at] as number) + Math.max(2, step));
  return end;
}
