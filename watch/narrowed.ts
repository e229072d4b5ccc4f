import type { Entry } from './entry.ts';
import type { Scope } from './scope.ts';
import { MemorySnapshot, type KeyRange, type Snapshot } from './snapshot.ts';

/** The objects among which those of a selection are. */
interface Narrowed {
  /** In key order. */
  readonly chunks: AsyncIterable<Entry[]>;
  /** Whether one of them is in the selection, by all of its selectors. */
  readonly matches: (entry: Entry) => boolean;
}

/** The objects of a range that a scope may be about: by an index where there is one that spares looking at all. */
export async function narrowed(
  snapshot: Snapshot,
  range: KeyRange,
  scope: Pick<Scope, 'matches' | 'terms'>,
  size?: number,
): Promise<Narrowed> {
  const { terms = [] } = scope;
  if (terms.length > 0 && snapshot instanceof MemorySnapshot) {
    const found = await snapshot.indexes.narrow(snapshot, range, terms);
    if (found !== undefined) return { chunks: later(found.chunks), matches: found.matches };
  }
  return { chunks: snapshot.chunks(range, size), matches: (entry) => scope.matches(entry) };
}

// eslint-disable-next-line @typescript-eslint/require-await -- the interface is asynchronous
async function* later(chunks: Iterable<Entry[]>): AsyncIterable<Entry[]> {
  yield* chunks;
}
