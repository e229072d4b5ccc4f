import type { JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import type { MergeList, MergeSchema } from '../merge-schema.ts';
import { itemElement } from './list-item.ts';
import { ListItemError } from './typed-error.ts';

/** Merges two values that are both there. */
type MergeValues = (schema: MergeSchema, live: JsonValue, applied: JsonValue) => Steps<JsonValue>;

/** An item with the element by which it is known. */
export interface Item {
  readonly element: string;
  readonly value: JsonValue;
}

/**
 * Merges the items of a `set` or `map` list. The order is that of the applied
 * list; items that only the live list has keep their place relative to the
 * items that both have. Returns `live` itself when neither an item nor the
 * order changes.
 *
 * Source: structured-merge-diff, typed/merge.go (visitListItems).
 */
export function* mergeLists(
  list: MergeList,
  live: JsonValue[],
  applied: readonly JsonValue[],
  mergeValues: MergeValues,
): Steps<JsonValue[]> {
  const left = live.map((value): Item => ({ element: itemElement(list, value), value }));
  const right = applied.map((value): Item => ({ element: itemElement(list, value), value }));
  if (sameElements(left, right)) return yield* mergePairs(list, live, applied, mergeValues);
  const leftValues = valuesByElement(left);
  const rightElements = new Set(right.map(({ element }) => element));
  if (rightElements.size < right.length) throw new ListItemError('duplicate entries');

  const merged = inMergedOrder(left, right, new Set(leftValues.keys()), rightElements);
  const out: JsonValue[] = [];
  for (const { element, value } of merged) {
    if (isStepOver()) yield;
    const before = rightElements.has(element) ? leftValues.get(element) : undefined;
    out.push(before === undefined ? value : yield* mergeValues(list.element, before, value));
  }
  const same = out.length === live.length && out.every((value, i) => value === live[i]);
  return same ? live : out;
}

/** The common case: the same items in the same order. */
export function sameElements(left: readonly Item[], right: readonly Item[]): boolean {
  if (left.length !== right.length) return false;
  const seen = new Set<string>();
  return left.every(({ element }, i) => {
    seen.add(element);
    return element === right[i]?.element && seen.size === i + 1;
  });
}

function* mergePairs(
  list: MergeList,
  live: JsonValue[],
  applied: readonly JsonValue[],
  mergeValues: MergeValues,
): Steps<JsonValue[]> {
  const out: JsonValue[] = [];
  for (const [i, before] of live.entries()) {
    if (isStepOver()) yield;
    out.push(yield* mergeValues(list.element, before, applied[i] as JsonValue));
  }
  return out.every((value, i) => value === live[i]) ? live : out;
}

/** An item that occurs more than once is not merged with what replaces it: null stands for it. */
export function valuesByElement(items: readonly Item[]): Map<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const { element, value } of items) values.set(element, values.has(element) ? null : value);
  return values;
}

/**
 * Walks both lists at once. Items of the live list alone are taken as they
 * come; an item of both waits until the applied list has come to it.
 */
export function inMergedOrder(
  left: readonly Item[],
  right: readonly Item[],
  inLeft: ReadonlySet<string>,
  inRight: ReadonlySet<string>,
): Item[] {
  const shared = right.filter(({ element }) => inLeft.has(element)).map(({ element }) => element);
  const taken = new Set<string>();
  const out: Item[] = [];
  let nextShared = 0;
  let l = 0;
  let r = 0;
  const take = (item: Item): void => {
    out.push(item);
    taken.add(item.element);
    r++;
    if (shared[nextShared] === item.element) nextShared++;
  };
  while (l < left.length || r < right.length) {
    const mine = left[l];
    const theirs = right[r];
    if (mine !== undefined && theirs !== undefined) {
      if (mine.element === theirs.element) {
        take(theirs);
        l++;
        continue;
      }
      const wanted = shared[nextShared];
      if (inRight.has(mine.element) && wanted !== undefined && wanted !== mine.element) {
        l++; // of both, but its turn comes later or is over
        continue;
      }
    }
    if (mine !== undefined) {
      if (!inRight.has(mine.element)) {
        out.push(mine);
        l++;
        continue;
      }
      if (taken.has(mine.element)) l++;
    }
    if (theirs !== undefined) take(theirs);
  }
  return out;
}
