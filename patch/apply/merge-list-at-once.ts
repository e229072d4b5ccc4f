// Made from merge-list.ts by `npm run generate:twins`: the same without rests.
import type { JsonValue } from '../../api/json.ts';
import type { MergeList, MergeSchema } from '../merge-schema.ts';
import { ListItemError } from './typed-error.ts';
import { itemElement } from './list-item.ts';
import { type Item, inMergedOrder, sameElements, valuesByElement } from './merge-list.ts';

/** Merges two values that are both there. */
type MergeValues = (schema: MergeSchema, live: JsonValue, applied: JsonValue) => JsonValue;

/**
 * Merges the items of a `set` or `map` list. The order is that of the applied
 * list; items that only the live list has keep their place relative to the
 * items that both have. Returns `live` itself when neither an item nor the
 * order changes.
 *
 * Source: structured-merge-diff, typed/merge.go (visitListItems).
 */
export function mergeLists(
  list: MergeList,
  live: JsonValue[],
  applied: readonly JsonValue[],
  mergeValues: MergeValues,
): JsonValue[] {
  const left = live.map((value): Item => ({ element: itemElement(list, value), value }));
  const right = applied.map((value): Item => ({ element: itemElement(list, value), value }));
  if (sameElements(left, right)) return mergePairs(list, live, applied, mergeValues);
  const leftValues = valuesByElement(left);
  const rightElements = new Set(right.map(({ element }) => element));
  if (rightElements.size < right.length) throw new ListItemError('duplicate entries');

  const merged = inMergedOrder(left, right, new Set(leftValues.keys()), rightElements);
  const out: JsonValue[] = [];
  for (const { element, value } of merged) {
    const before = rightElements.has(element) ? leftValues.get(element) : undefined;
    out.push(before === undefined ? value : mergeValues(list.element, before, value));
  }
  const same = out.length === live.length && out.every((value, i) => value === live[i]);
  return same ? live : out;
}

function mergePairs(
  list: MergeList,
  live: JsonValue[],
  applied: readonly JsonValue[],
  mergeValues: MergeValues,
): JsonValue[] {
  const out: JsonValue[] = [];
  for (const [i, before] of live.entries()) {
    out.push(mergeValues(list.element, before, applied[i] as JsonValue));
  }
  return out.every((value, i) => value === live[i]) ? live : out;
}
