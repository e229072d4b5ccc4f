import type { Entry } from '../watch/entry.ts';
import type { Narrowed } from '../watch/narrowed.ts';
import type { Stretch } from '../watch/ordered-map.ts';
import { MemorySnapshot, type KeyRange, type Snapshot } from '../watch/snapshot.ts';
import { encodeContinueToken } from './continue-token.ts';
import type { Page } from './list-result.ts';
import type { Selection } from './object-selection.ts';
import type { RegistryParts } from './parts.ts';
import { namespaceRange } from './key-ranges.ts';
import type { Target } from './served-resource.ts';

/** Objects of a page that are taken, or answered, together. */
export const MAX_AT_ONCE = 1_000;

/** What of a state a list is of. */
interface Part {
  readonly snapshot: Snapshot;
  readonly range: KeyRange;
  readonly selection: Selection;
}

/**
 * A page, or a whole list, of at most {@link MAX_AT_ONCE} objects that memory holds and of
 * which none has to be looked at: taken without a promise, which is most of what a short
 * list takes. Undefined: it has to be gone through in turns.
 *
 * `limit`: 0 for all of the range.
 */
export function pageAtOnce(
  parts: RegistryParts,
  target: Target,
  limit: number,
  { snapshot, range, selection }: Part,
): Page | undefined {
  if (!(snapshot instanceof MemorySnapshot) || limit > MAX_AT_ONCE) return undefined;
  if (!selection.everything || selection.prepare !== undefined) return undefined;
  const { start, end } = range;
  const size = limit === 0 ? MAX_AT_ONCE : limit;
  const { stretches, isMore } = firstOf(snapshot.items.stretches(start, end), size);
  if (isMore && limit === 0) return undefined;
  // One object that cannot be read never fails a list; nearly always there is none.
  if (stretches.some(hasCorrupt)) return undefined;
  const { revision } = snapshot;
  const items = (): Entry[] => valuesOf(stretches);
  const page = { revision, chunks: eachOf(chunksIn(stretches)), stretches, items };
  const last = isMore ? stretches.at(-1) : undefined;
  const lastItem = last?.values[last.to - 1];
  if (lastItem === undefined) return { ...page, ...NONE };
  parts.reader.pin(target.resource.prefix, snapshot);
  return {
    ...page,
    continueToken: tokenBehind(target, snapshot, lastItem),
    remaining: snapshot.items.count(`${lastItem.key}\0`, end),
  };
}

/**
 * A page, or a whole list, of what labels select of few objects that an index has found: taken
 * without a promise, too. Undefined: it has to be gone through in turns.
 *
 * `limit`: 0 for all of them.
 */
export function selectedAtOnce(
  parts: RegistryParts,
  target: Target,
  limit: number,
  {
    snapshot,
    among,
  }: { readonly snapshot: Snapshot; readonly among: Narrowed | Promise<Narrowed> },
): Page | undefined {
  if (among instanceof Promise || among.few === undefined) return undefined;
  const { few, matches } = among;
  const items: Entry[] = [];
  for (const entries of few) {
    for (const entry of entries) if (!entry.corrupt && matches(entry)) items.push(entry);
  }
  if (limit === 0 || items.length <= limit) return pageOf(snapshot, items);
  items.length = limit;
  // how many are left is not told where labels select
  return pageWithRest(parts, target, snapshot, items, undefined);
}

interface First {
  readonly stretches: readonly Stretch<Entry>[];
  readonly isMore: boolean;
}

/** The first `size` values of all. */
function firstOf(all: Iterable<Stretch<Entry>>, size: number): First {
  const stretches: Stretch<Entry>[] = [];
  let room = size;
  for (const stretch of all) {
    if (room === 0) return { stretches, isMore: true };
    const { values, from, to } = stretch;
    if (to - from > room) {
      stretches.push({ values, from, to: from + room });
      return { stretches, isMore: true };
    }
    stretches.push(stretch);
    room -= to - from;
  }
  return { stretches, isMore: false };
}

function valuesOf(stretches: readonly Stretch<Entry>[]): Entry[] {
  const all: Entry[] = [];
  for (const { values, from, to } of stretches) {
    for (let at = from; at < to; at++) all.push(values[at] as Entry);
  }
  return all;
}

function hasCorrupt({ values, from, to }: Stretch<Entry>): boolean {
  for (let at = from; at < to; at++) if (values[at]?.corrupt === true) return true;
  return false;
}

/** Objects of each stretch that can be read. */
export function* chunksIn(stretches: Iterable<Stretch<Entry>>): Iterable<Entry[]> {
  for (const stretch of stretches) {
    const entries = stretch.values.slice(stretch.from, stretch.to);
    yield hasCorrupt(stretch) ? entries.filter(({ corrupt }) => !corrupt) : entries;
  }
}

/** Goes on behind an object, at the same revision. */
function tokenBehind({ namespace }: Target, { revision }: Snapshot, last: Entry): string {
  const base = namespaceRange(namespace).start;
  return encodeContinueToken(base, { after: last.key, revision });
}

/** Objects behind which there are more, which stay readable at this revision. `remaining`: how many, if that is told. */
export function pageWithRest(
  parts: RegistryParts,
  target: Target,
  snapshot: Snapshot,
  items: readonly Entry[],
  remaining: number | undefined,
): Page {
  const last = items.at(-1);
  if (last === undefined) return pageOf(snapshot, items);
  parts.reader.pin(target.resource.prefix, snapshot);
  return pageOf(snapshot, items, {
    continueToken: tokenBehind(target, snapshot, last),
    remaining,
  });
}

/** Objects that are gathered already. `rest`: of those that come behind them; absent: there are none. */
export function pageOf(
  { revision }: Snapshot,
  items: readonly Entry[],
  rest: Pick<Page, 'continueToken' | 'remaining'> = NONE,
): Page {
  return {
    revision,
    continueToken: rest.continueToken,
    remaining: rest.remaining,
    chunks: eachOf(slicesOf(items)),
    items: items.length > MAX_AT_ONCE ? undefined : () => items,
  };
}

const NONE = { continueToken: '', remaining: undefined };

/** Objects of a page that are handed out together. */
const PAGE_CHUNK = 500;

function* slicesOf(items: readonly Entry[]): Iterable<Entry[]> {
  for (let i = 0; i < items.length; i += PAGE_CHUNK) yield items.slice(i, i + PAGE_CHUNK);
}

/** Chunks that memory holds, in the form of chunks that arrive over time. */
// oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
export async function* eachOf(chunks: Iterable<Entry[]>): AsyncIterable<Entry[]> {
  yield* chunks;
}
