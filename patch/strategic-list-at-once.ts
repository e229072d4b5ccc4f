// Made from strategic-list.ts by `npm run generate:twins`: the same without rests.
import type { JsonObject, JsonValue } from '../api/json.ts';
import type { MergeSchema } from './merge-schema.ts';
import { StrategicPatchError } from './strategic-error.ts';
import { itemType, withoutDirectives } from './strategic-list.ts';
import { type ItemKey, byMergeKey, bySelf, inPatchOrder } from './strategic-order.ts';

/** Merges two objects; how is the caller's business, since objects and lists nest. */
type MergeItems = (live: JsonObject, patch: JsonObject, schema: MergeSchema) => JsonObject;

/**
 * Merges the items of a list by merge key, or the values of a list of scalars.
 * The live list is the caller's own copy and may change.
 *
 * Source: apimachinery, util/strategicpatch (mergeSlice).
 *
 * @throws StrategicPatchError
 */
export function mergeItems(
  live: JsonValue[],
  patch: readonly JsonValue[],
  schema: MergeSchema,
  mergeKey: string | undefined,
  merge: MergeItems,
): JsonValue[] {
  if (live.length + patch.length === 0) return live;
  if (itemType(live, patch) !== 'object') {
    return inPatchOrder([...new Set([...live, ...patch])], patch, live, bySelf);
  }
  if (mergeKey === undefined) throw new StrategicPatchError('cannot merge lists without merge key');
  const { base, items } = withoutDirectives(live, patch, mergeKey);
  const merged = mergeByKey([...base], items, schema, byMergeKey(mergeKey), merge);
  return inPatchOrder(merged, items, base, byMergeKey(mergeKey));
}

function mergeByKey(
  live: JsonValue[],
  patch: readonly JsonValue[],
  schema: MergeSchema,
  keyOf: ItemKey,
  merge: MergeItems,
): JsonValue[] {
  const places = new Map<JsonValue, number>();
  for (const [i, item] of live.entries()) {
    const key = keyOf(item);
    if (!places.has(key)) places.set(key, i);
  }
  for (const item of patch) {
    const key = keyOf(item);
    const at = places.get(key);
    // what directives in a new item speak of is not there
    if (at === undefined) {
      places.set(key, live.push(merge({}, item as JsonObject, schema)) - 1);
    } else live[at] = merge(live[at] as JsonObject, item as JsonObject, schema);
  }
  return live;
}
