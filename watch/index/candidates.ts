import type { Entry } from '../entry.ts';
import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import { SortedList } from './sorted-list.ts';
import type { Posting } from './value-index.ts';

/** Part of the keys, as reads have it. */
export interface KeyRange {
  readonly start: string;
  readonly end?: string | undefined;
}

/** Lists that are merged as they are read. */
const MAX_MERGED = 8;
/** Objects that are sorted at once: a millisecond or two. */
const MAX_SORTED = 4_096;
/** Entries of a chunk. */
const CHUNK = 500;

/** The objects that a read by an index looks at. */
interface Candidates {
  /** Those of the index. */
  readonly postings: readonly Posting[];
  /** Others. */
  readonly others: readonly Entry[];
  /** Keys of objects of the index that are not to be taken from it. */
  readonly without: ReadonlyMap<string, unknown>;
}

/**
 * The candidates within a range in key order, in chunks; undefined when they
 * are so many lists that it is better to look through the collection. What is
 * read later is of the moment of the call.
 */
export function inKeyOrder(
  { postings, others, without }: Candidates,
  range: KeyRange,
): Iterable<Entry[]> | undefined {
  const lists: SortedList<Entry>[] = [];
  const singles: Entry[] = others.filter(({ key }) => isWithin(key, range));
  const take = (entry: Entry): void => {
    if (isWithin(entry.key, range) && !without.has(entry.key)) singles.push(entry);
  };
  const areMany = postings.length > MAX_MERGED;
  for (const posting of postings) {
    if (!(posting instanceof SortedList)) take(posting);
    else if (!areMany) lists.push(posting.snapshot());
    else for (const slice of posting.slices()) slice.forEach(take);
    if (singles.length > MAX_SORTED) return undefined;
  }
  singles.sort((a, b) => (a.key < b.key ? -1 : 1));
  const [only, another] = lists;
  const isPlain = singles.length === 0 && without.size === 0 && another === undefined;
  if (only !== undefined && isPlain) return slicesOf(only, range);
  return merged([...lists.map((list) => entriesOf(list, range, without)), singles]);
}

/** How many objects of a state are within a range. */
export function sizeWithin(items: ReadonlyOrderedMap<unknown>, { start, end }: KeyRange): number {
  return start === '' && end === undefined ? items.size : items.count(start, end);
}

/** `start` is included, `end` is not; without `end` the range is open. */
export function isWithin(key: string, { start, end }: KeyRange): boolean {
  return key >= start && (end === undefined || key < end);
}

function* slicesOf(list: SortedList<Entry>, range: KeyRange): IterableIterator<Entry[]> {
  const { start, end } = range;
  for (const slice of list.slices(({ key }) => key < start)) {
    const last = slice.at(-1);
    if (end === undefined || (last !== undefined && last.key < end)) {
      yield [...slice];
      continue;
    }
    const inside = slice.filter(({ key }) => key < end);
    if (inside.length > 0) yield inside;
    return;
  }
}

function* entriesOf(
  list: SortedList<Entry>,
  range: KeyRange,
  without: ReadonlyMap<string, unknown>,
): IterableIterator<Entry> {
  for (const slice of slicesOf(list, range)) {
    if (without.size === 0) yield* slice;
    else for (const entry of slice) if (!without.has(entry.key)) yield entry;
  }
}

/** Sorted sequences as one. */
function* merged(sources: readonly Iterable<Entry>[]): IterableIterator<Entry[]> {
  const heads: { readonly rest: Iterator<Entry>; entry: Entry }[] = [];
  for (const source of sources) {
    const rest = source[Symbol.iterator]();
    const first = rest.next();
    if (first.done !== true) heads.push({ rest, entry: first.value });
  }
  let chunk: Entry[] = [];
  while (heads.length > 0) {
    let at = 0;
    for (let i = 1; i < heads.length; i++) {
      if ((heads[i]?.entry.key ?? '') < (heads[at]?.entry.key ?? '')) at = i;
    }
    const head = heads[at];
    if (head === undefined) break;
    chunk.push(head.entry);
    const next = head.rest.next();
    if (next.done === true) heads.splice(at, 1);
    else head.entry = next.value;
    if (chunk.length === CHUNK) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
