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
  readonly atHand?: AtHand<T> | undefined;
  /** Bytes of the whole list, where they are known. */
  readonly length?: number;
}

/**
 * An item that is made of few bytes and has few takes at most some tenths of a
 * millisecond: projected, or as a row. The clock is not asked after each.
 */
const FEW_BYTES = 16 * 1024;

/** Bytes of a list of items that are all at hand. */
export function lengthOfList(
  items: readonly Buffer[],
  { open, close, empty }: ListEnvelope,
  { prefix }: Pick<AtHand<unknown>, 'prefix'>,
): number {
  if (items.length === 0) return Buffer.byteLength(empty);
  // a comma less than there are items, and a brace instead of what they begin with
  const added = 1 - prefix.length + (prefix.length > 0 ? 1 : 0);
  let length = Buffer.byteLength(open) + Buffer.byteLength(close) - 1 + items.length * added;
  for (const item of items) length += item.length;
  return length;
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
  { chunks, write, sizeOf, atHand, length }: ListSource<T>,
  envelope: ListEnvelope,
  clock: Clock,
): AsyncGenerator<Buffer, void> {
  const slabs = new SlabWriter(length);
  const turn = new Turn(clock);
  let isFirst = true;
  for await (const items of chunks) {
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
