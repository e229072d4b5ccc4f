import type { Clock } from '../api/clock.ts';
import type { ListEnvelope } from './list-envelope.ts';
import { SlabWriter } from './slab-writer.ts';
import { Turn } from '../api/turn.ts';
import type { AtHand } from './at-hand.ts';

/** Where the items of a list come from, and how one is written. */
export interface ListSource<T> {
  readonly chunks: AsyncIterable<readonly T[]>;
  /** Writes one item, without what stands around it. */
  readonly write: (slabs: SlabWriter, item: T) => void | Promise<void>;
  /** Bytes that an item is made of; absent: not known, it may take long to write any. */
  readonly sizeOf?: ((item: T) => number) | undefined;
  /** For an envelope that has a comma between items. */
  readonly atHand?: Pick<AtHand<T>, 'prefix' | 'bytesOf'> | undefined;
  /** Pieces of the chunk with this number, each item behind a comma, where they are there. */
  readonly kept?: ((chunk: number) => readonly Buffer[] | undefined) | undefined;
  /** Bytes of the whole list, where they are known. */
  readonly length?: number;
}

/**
 * An item that is made of few bytes and has few takes at most some tenths of a
 * millisecond: projected, or as a row. The clock is not asked after each.
 */
const FEW_BYTES = 16 * 1024;
const COMMA_BYTES = 1;

/** Bytes of a list of items that are all at hand. */
export function lengthOfList(
  items: readonly Buffer[],
  { open, close, empty }: ListEnvelope,
  { prefix }: Pick<AtHand<unknown>, 'prefix'>,
): number {
  if (items.length === 0) return Buffer.byteLength(empty);
  // a comma, and a brace instead of what they begin with
  const added = 1 - prefix.length + (prefix.length > 0 ? 1 : 0);
  let length = items.length * added;
  for (const item of items) length += item.length;
  return lengthAround(length, { open, close });
}

/** Bytes of a list whose items take so many, each with a comma before it. */
export function lengthAround(
  items: number,
  { open, close }: Pick<ListEnvelope, 'open' | 'close'>,
): number {
  return Buffer.byteLength(open) + Buffer.byteLength(close) + items - COMMA_BYTES;
}

/** A short list in one piece, of items that are all at hand; `length` as {@link lengthOfList} says. */
export function listAtOnce(
  items: readonly Buffer[],
  { open, close, empty }: ListEnvelope,
  { prefix }: Pick<AtHand<unknown>, 'prefix'>,
  length: number,
): Buffer {
  const [first] = items;
  if (first === undefined) return Buffer.from(empty);
  const slabs = new SlabWriter(length);
  slabs.text(open);
  if (prefix.length > 0) slabs.text('{');
  slabs.bytes(first, prefix.length);
  slabs.items(items, 1, prefix);
  slabs.text(close);
  return slabs.takeWhole();
}

/**
 * A list as pieces of about a slab, in bounded memory and without holding the
 * event loop: nothing is made before it is asked for.
 */
export async function* listPieces<T>(
  { chunks, write, sizeOf, atHand, kept, length }: ListSource<T>,
  envelope: ListEnvelope,
  clock: Clock,
): AsyncGenerator<Buffer, void> {
  const slabs = new SlabWriter(length);
  const turn = new Turn(clock);
  let isFirst = true;
  let chunk = 0;
  for await (const items of chunks) {
    const pieces = kept?.(chunk++);
    if (pieces !== undefined) {
      for (const piece of pieces) {
        if (isFirst) slabs.text(envelope.open);
        slabs.piece(isFirst ? piece.subarray(COMMA_BYTES) : piece);
        isFirst = false;
      }
      yield* slabs.takeFull();
      if (turn.isLate()) await turn.next();
      continue;
    }
    const bytes = atHand?.bytesOf(items);
    for (let at = 0; at < items.length; at++) {
      if (atHand !== undefined && bytes !== undefined && !isFirst) {
        const next = slabs.items(bytes, at, atHand.prefix);
        if (next > at) {
          at = next - 1;
          if (turn.isLate()) await turn.next();
          continue;
        }
      }
      const item = items[at] as T;
      const before = slabs.written;
      slabs.text(isFirst ? envelope.open : envelope.separator);
      isFirst = false;
      const pending = write(slabs, item);
      if (pending !== undefined) await pending;
      if (slabs.hasFull) yield* slabs.takeFull();
      const size = Math.max(sizeOf?.(item) ?? Infinity, slabs.written - before);
      if (size > FEW_BYTES ? turn.isLate() : turn.over()) await turn.next();
    }
  }
  slabs.text(isFirst ? envelope.empty : envelope.close);
  yield* slabs.takeRest();
}
