import type { Entry } from '../entry.ts';
import type { History } from '../history.ts';
import { isWithin, sizeWithin, type KeyRange } from './candidates.ts';
import { changesBetween, type Change, type ReadState } from './indexed-state.ts';
import type { KeptIndex } from './kept-index.ts';
import type { Order, OrderIndex, Placed } from './order-index.ts';
import type { SortedList } from './sorted-list.ts';

/** Objects that have changed between a read's revision and the index: each is read for its place. */
const MAX_MOVED = 200;

/** What a read asks of an order. */
export interface AskedOrder<T extends Placed = Placed> {
  readonly order: Order<T>;
  /** At most so many objects. */
  readonly limit: number;
  /** They come after this one; undefined: from the first on. */
  readonly after: T | undefined;
}

/** Objects in an order. */
export interface OrderedPart {
  readonly items: readonly Entry[];
  /** Objects behind them. */
  readonly remaining: number;
}

/** Whether a place comes before the part that is asked for. */
type IsBefore = (place: Placed) => boolean;

/** Part of a state in an order; undefined when the index tells too little of that state. */
export function readInOrder(
  history: History,
  state: ReadState,
  range: KeyRange,
  { order, limit, after }: AskedOrder,
  { index, position }: KeptIndex<OrderIndex>,
): OrderedPart | undefined {
  const here = history.positionAfter(state.revision);
  const [from, to] = here < position ? [here, position] : [position, here];
  const { list } = index;
  if (list === undefined || from < history.start || to - from > MAX_MOVED) return undefined;
  const changed = changesBetween(history, from, to);
  const moved: Placed[] = [];
  for (const key of changed.keys()) {
    const entry = isWithin(key, range) ? state.items.get(key) : undefined;
    if (entry?.corrupt === true) return undefined;
    if (entry !== undefined) moved.push(order.place(entry));
  }
  moved.sort((a, b) => order.compare(a, b));
  const isBefore: IsBefore = (place) => after !== undefined && order.compare(place, after) <= 0;
  // what the index holds of an object that has changed since, or before
  const indexed = ({ before, after: then }: Change): Entry | undefined =>
    here < position ? then : before;
  const behind = {
    list,
    isTaken: ({ entry: { key } }: Placed) => isWithin(key, range) && !changed.has(key),
  };
  const skipped =
    after === undefined
      ? 0
      : moved.filter(isBefore).length +
        (range.start === '' && range.end === undefined
          ? list.rank(isBefore) -
            placesOf([...changed.values()].map(indexed), order).filter(isBefore).length
          : countBefore(behind, isBefore));
  const items = firstOf(behind, moved, order, isBefore, limit);
  return { items, remaining: sizeWithin(state.items, range) - skipped - items.length };
}

/** The places of a list that count. */
interface Taken {
  readonly list: SortedList<Placed>;
  readonly isTaken: (place: Placed) => boolean;
}

function placesOf(entries: readonly (Entry | undefined)[], order: Order): Placed[] {
  return entries.flatMap((entry) => (entry === undefined ? [] : [order.place(entry)]));
}

function countBefore({ list, isTaken }: Taken, isBefore: IsBefore): number {
  let count = 0;
  for (const slice of list.slices()) {
    for (const place of slice) {
      if (!isBefore(place)) return count;
      if (isTaken(place)) count++;
    }
  }
  return count;
}

/** The first ones of the list and of the places that have moved, as one order. */
function firstOf(
  { list, isTaken }: Taken,
  moved: readonly Placed[],
  order: Order,
  isBefore: IsBefore,
  limit: number,
): Entry[] {
  const items: Entry[] = [];
  let next = moved.findIndex((place) => !isBefore(place));
  if (next < 0) next = moved.length;
  const takeMoved = (until: Placed | undefined): void => {
    for (; items.length < limit; next++) {
      const place = moved[next];
      if (place === undefined) return;
      if (until !== undefined && order.compare(place, until) > 0) return;
      items.push(place.entry);
    }
  };
  for (const slice of list.slices(isBefore)) {
    for (const place of slice) {
      if (items.length === limit) return items;
      if (!isTaken(place)) continue;
      takeMoved(place);
      if (items.length < limit) items.push(place.entry);
    }
  }
  takeMoved(undefined);
  return items;
}
