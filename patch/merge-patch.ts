import { cloneSteps } from '../api/json-steps.ts';
import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { isStepOver, type Steps } from '../api/steps.ts';

/**
 * Applies a merge patch (RFC 7386): members are merged, null removes, anything
 * else replaces. Objects inside of lists lose their nulls as well, as
 * kube-apiserver does it (the RFC would keep them). The inputs do not change
 * and the result shares nothing with them. Any key is just a key, `__proto__`
 * and `constructor` too.
 */
export function* mergePatchSteps(
  target: JsonValue | undefined,
  patch: JsonValue,
): Steps<JsonValue> {
  if (Array.isArray(patch)) {
    const items: JsonValue[] = [];
    // null stays null, but the members of items that are null go
    for (const item of patch) items.push(yield* mergePatchSteps(undefined, item));
    return items;
  }
  if (!isObject(patch)) return patch;
  const result: JsonObject = {};
  const source = isObject(target) ? target : {};
  for (const key of Object.keys(source)) {
    if (isStepOver()) yield;
    const old = source[key] as JsonValue;
    const change = getOwn(patch, key);
    if (change === null) continue;
    if (typeof (change ?? old) !== 'object') setOwn(result, key, change ?? old);
    else if (change === undefined) setOwn(result, key, yield* cloneSteps(old));
    else setOwn(result, key, yield* mergePatchSteps(old, change));
  }
  for (const key of Object.keys(patch)) {
    if (isStepOver()) yield;
    const value = patch[key] as JsonValue;
    if (value === null || getOwn(source, key) !== undefined) continue;
    const isScalar = typeof value !== 'object';
    setOwn(result, key, isScalar ? value : yield* mergePatchSteps(undefined, value));
  }
  return result;
}
