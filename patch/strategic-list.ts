import { getOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { isStepOver, type Steps } from '../api/steps.ts';
import { stringifyJson } from '../api/json-write.ts';
import type { MergeSchema } from './merge-schema.ts';
import { noMergeKey, StrategicPatchError } from './strategic-error.ts';
import { byMergeKey, bySelf, inPatchOrder, type ItemKey } from './strategic-order.ts';

/** `$patch` in an object says what becomes of it: `delete`, `replace` or `merge`. */
export const PATCH_DIRECTIVE = '$patch';

/** Merges two objects; how is the caller's business, since objects and lists nest. */
type MergeItems = (live: JsonObject, patch: JsonObject, schema: MergeSchema) => Steps<JsonObject>;

/**
 * Merges the items of a list by merge key, or the values of a list of scalars.
 * The live list is the caller's own copy and may change.
 *
 * Source: apimachinery, util/strategicpatch (mergeSlice).
 *
 * @throws StrategicPatchError
 */
export function* mergeItemsSteps(
  live: JsonValue[],
  patch: readonly JsonValue[],
  schema: MergeSchema,
  mergeKey: string | undefined,
  merge: MergeItems,
): Steps<JsonValue[]> {
  if (live.length + patch.length === 0) return live;
  if (itemType(live, patch) !== 'object') {
    return inPatchOrder([...new Set([...live, ...patch])], patch, live, bySelf);
  }
  if (mergeKey === undefined) throw new StrategicPatchError('cannot merge lists without merge key');
  const { base, items } = withoutDirectives(live, patch, mergeKey);
  yield;
  const merged = yield* mergeByKey([...base], items, schema, byMergeKey(mergeKey), merge);
  yield;
  return inPatchOrder(merged, items, base, byMergeKey(mergeKey));
}

/** Takes values out of a list of scalars (`$deleteFromPrimitiveList`). */
export function withoutValues(
  live: readonly JsonValue[],
  values: readonly JsonValue[],
): JsonValue[] {
  const gone = new Set(values);
  return live.filter((item) => !gone.has(item));
}

/** The one type of all items; lists of lists and mixed lists cannot be merged. */
export function itemType(...lists: readonly (readonly JsonValue[])[]): string {
  let type: string | undefined;
  for (const item of lists.flat()) {
    if (Array.isArray(item)) throw new StrategicPatchError('lists of lists are not supported', 422);
    const own = item === null ? 'null' : typeof item === 'bigint' ? 'number' : typeof item;
    type ??= own;
    if (own !== type || own === 'null') {
      throw new StrategicPatchError('list element types are not identical');
    }
  }
  if (type === undefined) throw new StrategicPatchError('no elements in any of the given slices');
  return type;
}

/** Carries out the `$patch` of items: `delete` takes the live item out, `replace` the whole live list. */
export function withoutDirectives(
  live: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): { base: readonly JsonValue[]; items: readonly JsonValue[] } {
  const items: JsonValue[] = [];
  const deleted = new Set<JsonValue>();
  let replace = false;
  for (const item of patch) {
    const directive = isObject(item) ? getOwn(item, PATCH_DIRECTIVE) : undefined;
    if (directive === undefined) items.push(item);
    else if (directive === 'delete') deleted.add(keyOfDeleted(item, mergeKey));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') {
      throw new StrategicPatchError('merging lists cannot yet be specified in the patch');
    } else throw unknownDirective(directive);
  }
  if (replace) return { base: items, items: [] };
  return { base: deleted.size === 0 ? live : withoutItems(live, deleted, mergeKey), items };
}

/**
 * The order of a live list, for {@link inPatchOrder}, once a patch has deleted
 * items of it: new items take as many places at its end as have become free.
 */
export function orderAfterDeletes(
  live: readonly JsonValue[],
  patch: readonly JsonValue[],
  keyOf: ItemKey,
): readonly JsonValue[] {
  const deleted = new Set<JsonValue>();
  const given = new Map<JsonValue, JsonValue>();
  for (const item of patch) {
    const directive = isObject(item) ? getOwn(item, PATCH_DIRECTIVE) : undefined;
    if (directive === 'delete') deleted.add(keyOf(item));
    else if (directive === undefined) given.set(keyOf(item), item);
  }
  const rest = live.filter((item) => !deleted.has(keyOf(item)));
  for (const item of rest) given.delete(keyOf(item));
  return [...rest, ...[...given.values()].slice(0, live.length - rest.length)];
}

function keyOfDeleted(item: JsonValue, mergeKey: string): JsonValue {
  const key = isObject(item) ? getOwn(item, mergeKey) : undefined;
  if (key === undefined) throw noMergeKey(mergeKey);
  return key;
}

/** In one pass: a patch may delete thousands of thousands. */
function withoutItems(
  live: readonly JsonValue[],
  deleted: ReadonlySet<JsonValue>,
  mergeKey: string,
): readonly JsonValue[] {
  return live.filter((item) => {
    const key = isObject(item) ? getOwn(item, mergeKey) : undefined;
    return key === undefined || !deleted.has(key);
  });
}

/** A `$patch` that is not one of `delete`, `merge`, `replace`. */
export function unknownDirective(directive: JsonValue): StrategicPatchError {
  return new StrategicPatchError(`unknown patch type: ${stringifyJson(directive)}`);
}

function* mergeByKey(
  live: JsonValue[],
  patch: readonly JsonValue[],
  schema: MergeSchema,
  keyOf: ItemKey,
  merge: MergeItems,
): Steps<JsonValue[]> {
  const places = new Map<JsonValue, number>();
  for (const [i, item] of live.entries()) {
    const key = keyOf(item);
    if (!places.has(key)) places.set(key, i);
  }
  for (const item of patch) {
    if (isStepOver()) yield;
    const key = keyOf(item);
    const at = places.get(key);
    // what directives in a new item speak of is not there
    if (at === undefined) {
      places.set(key, live.push(yield* merge({}, item as JsonObject, schema)) - 1);
    } else live[at] = yield* merge(live[at] as JsonObject, item as JsonObject, schema);
  }
  return live;
}
