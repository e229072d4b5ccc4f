import { andThen } from '../api/and-then.ts';
import type { Entry } from './entry.ts';
import type { Scope } from './scope.ts';
import { MemorySnapshot, type KeyRange, type Snapshot } from './snapshot.ts';

/** The objects among which those of a selection are. */
export interface Narrowed {
  /** In key order. */
  readonly chunks: AsyncIterable<Entry[]>;
  /** Whether one of them is in the selection, by all of its selectors. */
  readonly matches: (entry: Entry) => boolean;
  /** The chunks, if there are few and they are there: they can be read in one of the two ways. */
  readonly few?: Iterable<Entry[]> | undefined;
}

/** So many are looked at in one turn by their labels: 0.2 ms. */
const MAX_FEW = 1_000;

/** The objects of a range that a scope may be about: by an index where there is one that spares looking at all. */
export async function narrowed(
  snapshot: Snapshot,
  range: KeyRange,
  scope: Pick<Scope, 'matches' | 'terms'>,
  size?: number,
): Promise<Narrowed> {
  return narrowedNow(snapshot, range, scope, size);
}

/** The same, at once where nothing has to be waited for. */
export function narrowedNow(
  snapshot: Snapshot,
  range: KeyRange,
  scope: Pick<Scope, 'matches' | 'terms'>,
  size?: number,
): Narrowed | Promise<Narrowed> {
  const { terms = [] } = scope;
  const all = (): Narrowed => ({
    chunks: snapshot.chunks(range, size),
    matches: (entry) => scope.matches(entry),
  });
  if (terms.length === 0 || !(snapshot instanceof MemorySnapshot)) return all();
  return andThen(snapshot.indexes.narrow(snapshot, range, terms), (found) => {
    if (found === undefined) return all();
    const { chunks, matches, atMost } = found;
    return { chunks: later(chunks), matches, few: atMost <= MAX_FEW ? chunks : undefined };
  });
}

// eslint-disable-next-line @typescript-eslint/require-await -- the interface is asynchronous
async function* later(chunks: Iterable<Entry[]>): AsyncIterable<Entry[]> {
  yield* chunks;
}
