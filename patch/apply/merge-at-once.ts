// Made from merge.ts by `npm run generate:twins`: the same without rests.
import {
  DEDUCED,
  type MergeList,
  type MergeMap,
  type MergeSchema,
  fieldSchema,
  shapeOf,
} from '../merge-schema.ts';
import { equalOr } from './merge.ts';
import { hasKeys } from './compare.ts';
import { mergeLists } from './merge-list-at-once.ts';
import { type JsonObject, type JsonValue, hasOwn, isObject, setOwn } from '../../api/json.ts';

/**
 * Lays an applied configuration over an object: what it names takes its value,
 * everything else stays, nothing is removed. The result shares its unchanged
 * parts with `live`, and is `live` itself when nothing changes.
 *
 * Source: structured-merge-diff, typed/merge.go.
 *
 * @throws ListItemError when items of a list cannot be told apart
 */
export function mergeObjects(
  schema: MergeSchema,
  live: JsonObject,
  applied: JsonObject,
): JsonObject {
  return mergeValues(schema, live, applied) as JsonObject;
}

/** Both values are there; either may be null. */
function mergeValues(schema: MergeSchema, live: JsonValue, applied: JsonValue): JsonValue {
  if (live === applied) return live;
  switch (shapeOf(schema, applied)) {
    case 'map': {
      const map = schema.map as MergeMap;
      const [l, r] = [isObject(live) ? live : {}, isObject(applied) ? applied : {}];
      if (map.atomic || !(hasKeys(l) || hasKeys(r))) break;
      if (!hasKeys(r)) return live;
      return hasKeys(l) ? mergeMaps(map, l, r) : applied;
    }
    case 'list': {
      const list = schema.list as MergeList;
      const [l, r] = [Array.isArray(live) ? live : [], Array.isArray(applied) ? applied : []];
      if (list.type === 'atomic' || l.length + r.length === 0) break;
      if (r.length === 0) return live;
      return l.length === 0 ? applied : mergeLists(list, l, r, mergeValues);
    }
    case 'scalar':
    case 'none':
  }
  return equalOr(live, applied);
}

function mergeMaps(map: MergeMap, live: JsonObject, applied: JsonObject): JsonObject {
  let out: JsonObject | undefined;
  for (const key of Object.keys(applied)) {
    const value = applied[key] as JsonValue;
    const before = hasOwn(live, key) ? live[key] : undefined;
    let after = value;
    if (before !== undefined && before !== value) {
      const areScalars = typeof before !== 'object' && typeof value !== 'object';
      after = areScalars
        ? equalOr(before, value)
        : mergeValues(fieldSchema(map, key) ?? DEDUCED, before, value);
    }
    if (after === before) continue;
    out ??= { ...live };
    setOwn(out, key, after);
  }
  return out ?? live;
}
