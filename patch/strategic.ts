import type { ApiError } from '../api/api-error.ts';
import { cloneSteps, shallowSteps } from '../api/json-steps.ts';
import { getOwn, hasOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { isStepOver, type Steps } from '../api/steps.ts';
import { DEDUCED, fieldSchema, type MergeSchema } from './merge-schema.ts';
import { StrategicPatchError } from './strategic-error.ts';
import {
  itemType,
  mergeItemsSteps,
  orderAfterDeletes,
  PATCH_DIRECTIVE,
  unknownDirective,
  withoutValues,
} from './strategic-list.ts';
import { byMergeKey, bySelf, inPatchOrder } from './strategic-order.ts';

export const RETAIN_KEYS = '$retainKeys';
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';
export const SET_ORDER = '$setElementOrder/';

export type StrategicPatchOutcome =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly error: ApiError };

/**
 * Applies a strategic merge patch: a merge patch that knows from the schema
 * which lists are merged item by item, with directives for the rest. Only for
 * kinds that clients know: other custom resources answer 415 before this. Neither
 * input changes, and the result shares nothing with them.
 *
 * Source: apimachinery, util/strategicpatch (behaviours 5.8).
 */
export function* strategicSteps(
  schema: MergeSchema,
  live: JsonObject,
  patch: JsonObject,
): Steps<StrategicPatchOutcome> {
  try {
    const [own, change] = [yield* cloneSteps(live), yield* cloneSteps(patch)];
    return { ok: true, value: yield* mergeObject(own, change, schema) };
  } catch (error) {
    if (error instanceof StrategicPatchError) return { ok: false, error: error.toApiError() };
    throw error;
  }
}

/** Both objects are this patch's own copies: the live one is changed and returned. */
function* mergeObject(live: JsonObject, patch: JsonObject, schema: MergeSchema): Steps<JsonObject> {
  const directive = getOwn(patch, PATCH_DIRECTIVE);
  if (directive !== undefined) return yield* directed(directive, patch);
  yield* retainKeys(live, patch);
  const keys = Object.keys(patch);
  for (const key of keys) {
    if (isStepOver()) yield;
    if (key.startsWith('$setElementOrder')) yield* setOrder(live, patch, key, schema);
  }
  for (const key of keys) {
    if (isStepOver()) yield;
    const value = getOwn(patch, key);
    // an order has taken itself, and its list, out of the patch
    if (value === undefined) continue;
    if (key.startsWith('$deleteFromPrimitiveList')) {
      yield* deleteValues(live, key, value, schema);
    } else yield* mergeField(live, key, value, schema);
  }
  return live;
}

function* directed(directive: JsonValue, patch: JsonObject): Steps<JsonObject> {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(directive);
  const rest = yield* shallowSteps(patch);
  Reflect.deleteProperty(rest, PATCH_DIRECTIVE);
  return rest;
}

/** `$retainKeys`: only these keys stay. The patch itself must not set any other. */
function* retainKeys(live: JsonObject, patch: JsonObject): Steps<void> {
  const keys = getOwn(patch, RETAIN_KEYS);
  if (keys === undefined) return;
  if (!Array.isArray(keys)) throw new StrategicPatchError('invalid patch format of retainKeys');
  Reflect.deleteProperty(patch, RETAIN_KEYS);
  const retained = new Set(keys);
  for (const key of Object.keys(patch)) {
    if (isStepOver()) yield;
    const isDirective = key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ORDER);
    if (patch[key] !== null && !isDirective && !retained.has(key)) {
      throw new StrategicPatchError('invalid patch format of retainKeys');
    }
  }
  for (const key of Object.keys(live)) {
    if (isStepOver()) yield;
    if (!retained.has(key)) Reflect.deleteProperty(live, key);
  }
}

function* mergeField(
  live: JsonObject,
  key: string,
  value: JsonValue,
  parent: MergeSchema,
): Steps<void> {
  if (value === null) {
    Reflect.deleteProperty(live, key);
    return;
  }
  const before = getOwn(live, key);
  const schema = childSchema(parent, key);
  let after: JsonValue | undefined;
  if (isObject(before) && isObject(value)) {
    after = schema.strategy?.replace === true ? value : yield* mergeObject(before, value, schema);
  } else if (Array.isArray(before) && Array.isArray(value)) {
    after = yield* mergeList(before, value, schema);
  } else after = yield* withoutDirectives(value);
  if (after === undefined) Reflect.deleteProperty(live, key);
  else setOwn(live, key, after);
}

/** The schema of a member; one that is deduced from the values where the schema says nothing. */
export function childSchema({ map }: MergeSchema, key: string): MergeSchema {
  return (map === undefined ? undefined : fieldSchema(map, key)) ?? DEDUCED;
}

function* mergeList(
  live: JsonValue[],
  patch: readonly JsonValue[],
  schema: MergeSchema,
): Steps<JsonValue[]> {
  const { strategy, list } = schema;
  if (strategy?.merge !== true) return [...patch];
  const element = list?.element ?? DEDUCED;
  return yield* mergeItemsSteps(live, patch, element, strategy.mergeKey, mergeObject);
}

/** The value as it is new to the object: without nulls, and without objects that carry a directive. */
function* withoutDirectives(value: JsonValue): Steps<JsonValue | undefined> {
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      if (isStepOver()) yield;
      const kept = yield* withoutDirectives(item);
      if (kept !== undefined) items.push(kept);
    }
    return items;
  }
  if (!isObject(value)) return value;
  if (hasOwn(value, PATCH_DIRECTIVE)) return undefined;
  const out: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (isStepOver()) yield;
    const child = value[key] as JsonValue;
    const isDirective =
      key === RETAIN_KEYS || key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ORDER);
    const kept = child === null || isDirective ? undefined : yield* withoutDirectives(child);
    if (kept !== undefined) setOwn(out, key, kept);
  }
  return out;
}

/**
 * `$deleteFromPrimitiveList/<field>`: takes these values out of a list. Items
 * that are objects are merged as if the directive were not there.
 */
function* deleteValues(
  live: JsonObject,
  directive: string,
  values: JsonValue,
  parent: MergeSchema,
): Steps<void> {
  if (!directive.startsWith(DELETE_FROM_LIST)) {
    throw new StrategicPatchError('invalid patch format of primitive list');
  }
  const key = directive.slice(DELETE_FROM_LIST.length);
  const before = getOwn(live, key);
  if (values === null) Reflect.deleteProperty(live, key);
  else if (Array.isArray(before) && Array.isArray(values)) {
    setOwn(live, key, yield* deleteFromList(before, values, childSchema(parent, key)));
  }
}

function* deleteFromList(
  live: JsonValue[],
  values: readonly JsonValue[],
  schema: MergeSchema,
): Steps<JsonValue[]> {
  if (live.length + values.length === 0) return live;
  if (itemType(live, values) !== 'object') return withoutValues(live, values);
  return yield* mergeItemsSteps(
    live,
    values,
    schema.list?.element ?? DEDUCED,
    schema.strategy?.mergeKey,
    mergeObject,
  );
}

/**
 * `$setElementOrder/<field>`: merges the list of the patch right away and puts
 * the result in this order. Items that the order does not name keep their place
 * among the live ones.
 */
function* setOrder(
  live: JsonObject,
  patch: JsonObject,
  directive: string,
  parent: MergeSchema,
): Steps<void> {
  if (!directive.startsWith(SET_ORDER)) throw badOrder();
  const order = patch[directive];
  Reflect.deleteProperty(patch, directive);
  const key = directive.slice(SET_ORDER.length);
  const before = listOrNone(getOwn(live, key));
  const given = listOrNone(getOwn(patch, key));
  if (!Array.isArray(order)) throw badOrder();
  const schema = childSchema(parent, key);
  const mergeKey = schema.strategy?.mergeKey;
  const keyOf = mergeKey === undefined ? bySelf : byMergeKey(mergeKey);
  checkOrder(given ?? [], order, mergeKey);
  if (before === undefined && given === undefined) return;
  itemType(before ?? [], given ?? []);
  const merged =
    given === undefined
      ? (before ?? [])
      : before === undefined
        ? ((yield* withoutDirectives(given)) as JsonValue[])
        : yield* mergeList([...before], given, schema);
  const liveOrder = orderAfterDeletes(before ?? [], given ?? [], keyOf);
  setOwn(live, key, inPatchOrder(merged, order, liveOrder, keyOf));
  Reflect.deleteProperty(patch, key);
}

/** A `$setElementOrder` is not a list, or does not fit the list that it orders. */
export function badOrder(): StrategicPatchError {
  return new StrategicPatchError('invalid patch format of setElementOrder list');
}

/** @throws StrategicPatchError if the value is present and not a list */
export function listOrNone(value: JsonValue | undefined): JsonValue[] | undefined {
  if (value !== undefined && !Array.isArray(value)) throw badOrder();
  return value;
}

/** The items of the patch, save for those it deletes, must come in the given order. */
export function checkOrder(
  patch: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): void {
  if (patch.length === 0 || order.length === 0) return;
  const keyOf = mergeKey === undefined ? bySelf : byMergeKey(mergeKey);
  let next = 0;
  for (const item of patch) {
    if (isObject(item) && hasOwn(item, PATCH_DIRECTIVE)) continue;
    const key = keyOf(item);
    while (next < order.length && keyOf(order[next] as JsonValue) !== key) next++;
    if (next++ === order.length) {
      throw new StrategicPatchError("the order in the patch list doesn't match $setElementOrder");
    }
  }
}
