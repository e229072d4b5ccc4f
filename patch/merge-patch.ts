import {
  deepClone,
  getOwn,
  isObject,
  setOwn,
  type JsonObject,
  type JsonValue,
} from '../api/json.ts';

/**
 * Applies a merge patch (RFC 7386): members are merged, null removes, anything
 * else replaces. Objects inside of lists lose their nulls as well, as
 * kube-apiserver does it (the RFC would keep them). The inputs do not change
 * and the result shares nothing with them. Any key is just a key, `__proto__`
 * and `constructor` too.
 */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (Array.isArray(patch)) return patch.map(withoutNulls);
  if (!isObject(patch)) return patch;
  const result: JsonObject = {};
  const source = isObject(target) ? target : {};
  for (const key of Object.keys(source)) {
    if (getOwn(patch, key) === undefined) setOwn(result, key, deepClone(source[key] as JsonValue));
    else if (patch[key] !== null) {
      setOwn(result, key, applyMergePatch(source[key], patch[key] as JsonValue));
    }
  }
  for (const key of Object.keys(patch)) {
    if (patch[key] !== null && getOwn(source, key) === undefined) {
      setOwn(result, key, applyMergePatch(undefined, patch[key] as JsonValue));
    }
  }
  return result;
}

/** An item of a list: null stays null, but the members of objects that are null go. */
function withoutNulls(item: JsonValue): JsonValue {
  return applyMergePatch(undefined, item);
}
