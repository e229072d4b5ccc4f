import type { Clock } from '../api/clock.ts';
import type { ListEnvelope } from './list-envelope.ts';
import { SlabWriter } from './slab-writer.ts';
import { Turn } from '../api/turn.ts';

/** Where the items of a list come from, and how one is written. */
export interface ListSource<T> {
  readonly chunks: AsyncIterable<readonly T[]>;
  /** Writes one item, without what stands around it. */
  readonly write: (slabs: SlabWriter, item: T) => void | Promise<void>;
}

/**
 * A list as pieces of about a slab, in bounded memory and without holding the
 * event loop: nothing is made before it is asked for.
 */
export async function* listPieces<T>(
  { chunks, write }: ListSource<T>,
  envelope: ListEnvelope,
  clock: Clock,
): AsyncGenerator<Buffer, void> {
  const slabs = new SlabWriter();
  // one item may take long: it is projected, or a row is made of it
  const turn = new Turn(clock, 1);
  let isFirst = true;
  for await (const items of chunks) {
    for (const item of items) {
      slabs.text(isFirst ? envelope.open : envelope.separator);
      isFirst = false;
      const pending = write(slabs, item);
      if (pending !== undefined) await pending;
      if (slabs.hasFull) yield* slabs.takeFull();
      if (turn.over()) await turn.next();
    }
  }
  slabs.text(isFirst ? envelope.empty : envelope.close);
  yield* slabs.takeRest();
}
