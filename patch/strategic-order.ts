import { getOwn, isObject, type JsonValue } from '../api/json.ts';
import { noMergeKey } from './strategic-error.ts';

/** How items of a merging list are told apart: objects by their merge key, scalars by themselves. */
export type ItemKey = (item: JsonValue) => JsonValue;

/** The key of an item of a set: the item. */
export const bySelf: ItemKey = (item) => item;

/** @throws StrategicPatchError for an item without the key */
export function byMergeKey(mergeKey: string): ItemKey {
  return (item) => {
    const key = isObject(item) ? getOwn(item, mergeKey) : undefined;
    if (key === undefined) throw noMergeKey(mergeKey);
    return key;
  };
}

/**
 * Orders the items of a merged list: those that `order` names come in that
 * order, the others in the order of the live list, and each of the others
 * stands before the first of the named ones that follows it in the live list.
 *
 * Source: apimachinery, util/strategicpatch (normalizeElementOrder).
 */
export function inPatchOrder(
  merged: readonly JsonValue[],
  order: readonly JsonValue[],
  live: readonly JsonValue[],
  keyOf: ItemKey,
): JsonValue[] {
  const inOrder = new Ranks(order, keyOf);
  const inLive = new Ranks(live, keyOf);
  const named = sortByRank(
    merged.filter((item) => inOrder.of(item) >= 0),
    inOrder,
  );
  const others = sortByRank(
    merged.filter((item) => inOrder.of(item) < 0),
    inLive,
  );
  const out: JsonValue[] = [];
  let n = 0;
  for (const other of others) {
    const rank = inLive.of(other);
    for (; n < named.length; n++) {
      const next = inLive.of(named[n] as JsonValue);
      if (rank >= 0 && next >= 0 && rank < next) break;
      out.push(named[n] as JsonValue);
    }
    out.push(other);
  }
  return [...out, ...named.slice(n)];
}

/** First place of every key in a list, so that ordering does not search the list for each item. */
class Ranks {
  readonly #ranks = new Map<JsonValue, number>();
  readonly #keyOf: ItemKey;

  constructor(items: readonly JsonValue[], keyOf: ItemKey) {
    this.#keyOf = keyOf;
    for (const [i, item] of items.entries()) {
      const key = keyOf(item);
      if (!this.#ranks.has(key)) this.#ranks.set(key, i);
    }
  }

  of(item: JsonValue): number {
    return this.#ranks.get(this.#keyOf(item)) ?? -1;
  }
}

function sortByRank(items: readonly JsonValue[], ranks: Ranks): JsonValue[] {
  return [...items].sort((a, b) => ranks.of(a) - ranks.of(b));
}
