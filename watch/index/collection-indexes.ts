import { andThen } from '../../api/and-then.ts';
import type { Entry } from '../entry.ts';
import { AskedIndexes } from './asked-indexes.ts';
import { inKeyOrder, sizeWithin, type KeyRange } from './candidates.ts';
import { changesBetween, type IndexedState, type ReadState } from './indexed-state.ts';
import type { IndexMemory } from './index-memory.ts';
import type { KeptIndex } from './kept-index.ts';
import { OrderIndex } from './order-index.ts';
import { readInOrder, type AskedOrder, type OrderedPart } from './read-in-order.ts';
import type { IndexTerm } from './term.ts';
import { ValueIndex } from './value-index.ts';

/** Objects that a read looks at because they have changed since its revision, or are not in the index. */
const MAX_OTHERS = 2_000;
/** Above this part of the range, looking through it costs no more. */
const WORTHWHILE_SHARE = 1 / 2;

/** The objects of a state among which those of a selection are. */
interface Narrowed {
  /** In key order. */
  readonly chunks: Iterable<Entry[]>;
  /** How many there are at most. */
  readonly atMost: number;
  /** Whether one of them is in the selection. */
  readonly matches: (entry: Entry) => boolean;
}

/**
 * The indexes of a collection. They are made of what reads ask for, and stand
 * at a position of the history. A read at another revision looks at what has
 * changed between the two by itself, so its answer is exact.
 */
export class CollectionIndexes {
  readonly #state: IndexedState;
  readonly #memory: IndexMemory;
  readonly #values: AskedIndexes<ValueIndex>;
  readonly #orders: AskedIndexes<OrderIndex>;

  constructor(state: IndexedState, memory: IndexMemory) {
    this.#state = state;
    this.#memory = memory;
    this.#values = new AskedIndexes(state, memory);
    this.#orders = new AskedIndexes(state, memory);
  }

  /**
   * Those objects of a range and state that meet one of the terms; undefined when
   * there is no index that would spare looking through the range. A promise only where the
   * index has much to take over.
   */
  narrow(
    at: ReadState,
    range: KeyRange,
    terms: readonly IndexTerm[],
  ): Narrowed | undefined | Promise<Narrowed | undefined> {
    const { items } = at;
    if (terms.length === 0 || items.size < this.#memory.limits.minObjects) return undefined;
    const inRange = sizeWithin(items, range);
    let best: { term: IndexTerm; kept: KeptIndex<ValueIndex> } | undefined;
    let fewest = inRange * WORTHWHILE_SHARE;
    for (const term of terms) {
      const { source } = term;
      const kept = this.#values.find(source.id, source.asksBefore, () => new ValueIndex(source));
      const count = kept?.index.count(term.values) ?? Infinity;
      if (kept === undefined || count > fewest) continue;
      fewest = count;
      best = { term, kept };
    }
    if (best === undefined) return undefined;
    const { term, kept } = best;
    kept.use();
    return andThen(kept.catchUp(), () =>
      kept.isLost ? undefined : this.#read(at, range, term, kept),
    );
  }

  /** Some object cannot be read, so that numbers of objects say nothing. */
  get hasUnreadable(): boolean {
    return this.#state.unreadable.size > 0;
  }

  /**
   * Part of the objects of a range and state in an order; undefined when there is
   * no index that would spare looking at all of them.
   */
  async inOrder(
    at: ReadState,
    range: KeyRange,
    asked: AskedOrder,
  ): Promise<OrderedPart | undefined> {
    const { items } = at;
    const { order } = asked;
    const inRange = sizeWithin(items, range);
    const isFew = inRange < items.size * WORTHWHILE_SHARE;
    if (isFew || items.size < this.#memory.limits.minObjects) return undefined;
    const kept = this.#orders.find(order.id, order.asksBefore, () => new OrderIndex(order));
    if (kept === undefined) return undefined;
    kept.use();
    await kept.catchUp();
    if (kept.isLost || at.revision < this.#state.history.floor) return undefined;
    return readInOrder(this.#state.history, at, range, asked, kept);
  }

  #read(
    { revision, items }: ReadState,
    range: KeyRange,
    term: IndexTerm,
    { index, position }: KeptIndex<ValueIndex>,
  ): Narrowed | undefined {
    const { history } = this.#state;
    if (revision < history.floor) return undefined;
    const here = history.positionAfter(revision);
    const [from, to] = here < position ? [here, position] : [position, here];
    if (from < history.start || index.unsure.size + to - from > MAX_OTHERS) return undefined;
    const changed = changesBetween(history, from, to);
    const others: Entry[] = [];
    for (const key of changed.keys()) {
      const entry = items.get(key);
      if (entry !== undefined) others.push(entry);
    }
    for (const slice of index.unsure.slices()) {
      for (const entry of slice) if (!changed.has(entry.key)) others.push(entry);
    }
    const postings = index.postings(term.values);
    const atMost = index.count(term.values) + others.length;
    const chunks = inKeyOrder({ postings, others, without: changed }, range);
    if (chunks === undefined) return undefined;
    const unsure = new Set(others);
    return {
      chunks,
      atMost,
      matches:
        unsure.size === 0
          ? (entry) => term.rest(entry)
          : (entry) => (unsure.has(entry) ? term.matches(entry) : term.rest(entry)),
    };
  }
}
