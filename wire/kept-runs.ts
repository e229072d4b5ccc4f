import type { Clock } from '../api/clock.ts';
import type { Stretch } from '../watch/ordered-map.ts';
import type { AtHand } from './at-hand.ts';
import { MIN_PIECE_BYTES } from './slab-writer.ts';

/** All that is kept. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** Of one leaf: it is copied in one go, 0.3 ms for so much. */
const MAX_LEAF_BYTES = 1024 * 1024;
/** Of one piece, unless one item has more; a leaf of objects of up to 2 KB is one. */
const MAX_RUN_BYTES = 512 * 1024;
/** What is listed twice within this time is kept, and makes room once it was not for as long. */
const KEPT_FOR_MS = 10_000;

const COMMA = 0x2c;
const BRACE = 0x7b;

/** Items that are kept in one piece, each behind a comma. */
interface Run {
  readonly bytes: Buffer;
  /** Index of the first of them in the leaf. */
  readonly first: number;
  /** Where each begins in the bytes, and where the last one ends. */
  readonly starts: readonly number[];
}

/** What is known of the values of a leaf of an ordered map. */
interface Known {
  /** What bytes depend on besides the values, see {@link AtHand}. */
  readonly form: object;
  listedAt: number;
  /** Bytes of all its items; absent: not counted yet. */
  size?: number;
  /** Absent: they are not kept. */
  runs?: readonly Run[] | undefined;
}

type Source<T> = Pick<AtHand<T>, 'prefix' | 'form' | 'bytesOf'>;

/**
 * Bytes of the items of lists, of leaves that are listed again and again and do not
 * change: a list sends them as they are instead of copying each object, which was a tenth of
 * a list of 500 and a quarter of one of 10,000 (docs/performance.md). A leaf that changes becomes another one, so what
 * is kept is never wrong. It is bounded, and nothing goes before it is out of use: where lists
 * of more than that come again and again, a part is kept and the rest copied.
 */
export class KeptRuns {
  readonly #max: number;
  readonly #known = new WeakMap<readonly unknown[], Known>();
  /** Those that are kept, the longest unused first. */
  readonly #kept = new Set<Known>();
  #bytes = 0;

  constructor(max = MAX_KEPT_BYTES) {
    this.#max = max;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Pieces of a stretch that is listed now, if they are kept. */
  list<T>(stretch: Stretch<T>, source: Source<T>, clock: Clock): readonly Buffer[] | undefined {
    const { values } = stretch;
    const form = source.form();
    const now = clock.monotonic();
    const known = this.#known.get(values);
    if (known?.form !== form) {
      this.#known.set(values, { form, listedAt: now });
      return undefined;
    }
    const isLately = now - known.listedAt < KEPT_FOR_MS;
    known.listedAt = now;
    if (known.runs !== undefined) this.#kept.delete(known);
    else if (!isLately || !this.#keep(known, values, source)) return undefined;
    this.#kept.add(known);
    return piecesOf(known.runs ?? [], stretch);
  }

  /** Bytes of stretches that are all kept; undefined: one is not. */
  lengthOf(stretches: readonly Stretch<unknown>[], form: object): number | undefined {
    let length = 0;
    for (const stretch of stretches) {
      const known = this.#known.get(stretch.values);
      if (known?.form !== form || known.runs === undefined) return undefined;
      for (const piece of piecesOf(known.runs, stretch)) length += piece.length;
    }
    return length;
  }

  #keep<T>(known: Known, values: readonly T[], { prefix, bytesOf }: Source<T>): boolean {
    if (known.size !== undefined && !this.#hasRoom(known.size, known.listedAt)) return false;
    const items = bytesOf(values);
    if (items === undefined) return false;
    known.size = items.reduce((sum, item) => sum + sizeIn(item, prefix), 0);
    if (!this.#hasRoom(known.size, known.listedAt)) return false;
    known.runs = runsOf(items, prefix);
    this.#bytes += known.size;
    return true;
  }

  /** Makes it, if it can. */
  #hasRoom(size: number, now: number): boolean {
    if (size < MIN_PIECE_BYTES || size > MAX_LEAF_BYTES) return false;
    for (const known of this.#kept) {
      if (this.#bytes + size <= this.#max || now - known.listedAt < KEPT_FOR_MS) break;
      this.#kept.delete(known);
      this.#bytes -= known.size ?? 0;
      known.runs = undefined;
    }
    return this.#bytes + size <= this.#max;
  }
}

function runsOf(items: readonly Buffer[], prefix: Buffer): Run[] {
  const runs: Run[] = [];
  for (let first = 0; first < items.length;) {
    const starts = [0];
    let end = 0;
    for (const item of items.slice(first)) {
      const size = sizeIn(item, prefix);
      if (end > 0 && end + size > MAX_RUN_BYTES) break;
      starts.push((end += size));
    }
    const behind = first + starts.length - 1;
    runs.push({ bytes: joined(items.slice(first, behind), prefix, end), first, starts });
    first = behind;
  }
  return runs;
}

/** Bytes of an item behind a comma, and with a brace in place of what all begin with. */
function sizeIn({ length }: Buffer, prefix: Buffer): number {
  return prefix.length > 0 ? length - prefix.length + 2 : length + 1;
}

function joined(items: readonly Buffer[], prefix: Buffer, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let end = 0;
  for (const item of items) {
    bytes[end++] = COMMA;
    if (prefix.length > 0) bytes[end++] = BRACE;
    end += item.copy(bytes, end, prefix.length);
  }
  return bytes;
}

function piecesOf(runs: readonly Run[], { from, to }: Stretch<unknown>): Buffer[] {
  const pieces: Buffer[] = [];
  for (const { bytes, first, starts } of runs) {
    const begins = starts[Math.max(0, from - first)];
    const ends = starts[Math.min(starts.length - 1, to - first)];
    if (begins === undefined || ends === undefined || begins >= ends) continue;
    pieces.push(ends - begins === bytes.length ? bytes : bytes.subarray(begins, ends));
  }
  return pieces;
}

/** Of the process. */
export const keptRuns = new KeptRuns();
