import {
  deepEqual,
  hasOwn,
  isObject,
  setOwn,
  type JsonObject,
  type JsonValue,
} from '../../api/json.ts';
import { shallowSteps } from '../../api/json-steps.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import {
  DEDUCED,
  fieldSchema,
  shapeOf,
  type MergeList,
  type MergeMap,
  type MergeSchema,
} from '../merge-schema.ts';
import { hasKeys } from './compare.ts';
import { mergeLists } from './merge-list.ts';

/**
 * Lays an applied configuration over an object: what it names takes its value,
 * everything else stays, nothing is removed. The result shares its unchanged
 * parts with `live`, and is `live` itself when nothing changes.
 *
 * Source: structured-merge-diff, typed/merge.go.
 *
 * @throws ListItemError when items of a list cannot be told apart
 */
export function* mergeSteps(
  schema: MergeSchema,
  live: JsonObject,
  applied: JsonObject,
): Steps<JsonObject> {
  return (yield* mergeValues(schema, live, applied)) as JsonObject;
}

/** Both values are there; either may be null. */
function* mergeValues(schema: MergeSchema, live: JsonValue, applied: JsonValue): Steps<JsonValue> {
  if (live === applied) return live;
  switch (shapeOf(schema, applied)) {
    case 'map': {
      const map = schema.map as MergeMap;
      const [l, r] = [isObject(live) ? live : {}, isObject(applied) ? applied : {}];
      if (map.atomic || !(hasKeys(l) || hasKeys(r))) break;
      if (!hasKeys(r)) return live;
      return hasKeys(l) ? yield* mergeMaps(map, l, r) : applied;
    }
    case 'list': {
      const list = schema.list as MergeList;
      const [l, r] = [Array.isArray(live) ? live : [], Array.isArray(applied) ? applied : []];
      if (list.type === 'atomic' || l.length + r.length === 0) break;
      if (r.length === 0) return live;
      return l.length === 0 ? applied : yield* mergeLists(list, l, r, mergeValues);
    }
    case 'scalar':
    case 'none':
  }
  return equalOr(live, applied);
}

/** The live value where it equals what is applied, which is then no change. */
export function equalOr(live: JsonValue, applied: JsonValue): JsonValue {
  return deepEqual(live, applied) ? live : applied;
}

function* mergeMaps(map: MergeMap, live: JsonObject, applied: JsonObject): Steps<JsonObject> {
  let out: JsonObject | undefined;
  for (const key of Object.keys(applied)) {
    if (isStepOver()) yield;
    const value = applied[key] as JsonValue;
    const before = hasOwn(live, key) ? live[key] : undefined;
    let after = value;
    if (before !== undefined && before !== value) {
      const areScalars = typeof before !== 'object' && typeof value !== 'object';
      after = areScalars
        ? equalOr(before, value)
        : yield* mergeValues(fieldSchema(map, key) ?? DEDUCED, before, value);
    }
    if (after === before) continue;
    out ??= yield* shallowSteps(live);
    setOwn(out, key, after);
  }
  return out ?? live;
}
