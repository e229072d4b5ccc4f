// Made from merge-patch.ts by `npm run generate:twins`: the same without rests.
import {
  type JsonObject,
  type JsonValue,
  deepClone,
  getOwn,
  isObject,
  setOwn,
} from '../api/json.ts';

/**
 * Applies a merge patch (RFC 7386): members are merged, null removes, anything
 * else replaces. Objects inside of lists lose their nulls as well, as
 * kube-apiserver does it (the RFC would keep them). The inputs do not change
 * and the result shares nothing with them. Any key is just a key, `__proto__`
 * and `constructor` too.
 */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (Array.isArray(patch)) {
    const items: JsonValue[] = [];
    // null stays null, but the members of items that are null go
    for (const item of patch) items.push(applyMergePatch(undefined, item));
    return items;
  }
  if (!isObject(patch)) return patch;
  const result: JsonObject = {};
  const source = isObject(target) ? target : {};
  for (const key of Object.keys(source)) {
    const old = source[key] as JsonValue;
    const change = getOwn(patch, key);
    if (change === null) continue;
    if (typeof (change ?? old) !== 'object') setOwn(result, key, change ?? old);
    else if (change === undefined) setOwn(result, key, deepClone(old));
    else setOwn(result, key, applyMergePatch(old, change));
  }
  for (const key of Object.keys(patch)) {
    const value = patch[key] as JsonValue;
    if (value === null || getOwn(source, key) !== undefined) continue;
    const isScalar = typeof value !== 'object';
    setOwn(result, key, isScalar ? value : applyMergePatch(undefined, value));
  }
  return result;
}
