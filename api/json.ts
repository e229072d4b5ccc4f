/**
 * JSON values as the server holds them in memory.
 *
 * Integers beyond 2^53 that fit an int64 are `bigint`, every other number is a
 * JavaScript `number`. Objects come from outside, so a key may be any string,
 * `__proto__` and `constructor` included: write keys that are not literals
 * with {@link setOwn} and test for them with {@link hasOwn}.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when `key` is the object's own, never an inherited name such as `toString`. */
export function hasOwn(object: object, key: string): boolean {
  return Object.hasOwn(object, key);
}

/** The object's own value at `key`; inherited names such as `constructor` read as undefined. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  const value = object[key];
  // most keys that are asked for are absent, and that is seen without the costly question
  return value === undefined || Object.hasOwn(object, key) ? value : undefined;
}

/** Assigns an own property even when the key is `__proto__`, which plain assignment would not. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[key] = value;
  }
}

/** A copy that shares nothing with the original. Depth is bounded by the parser's limit. */
export function deepClone<T extends JsonValue>(value: T): T;
export function deepClone(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => deepClone(item));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, deepClone(value[key] as JsonValue));
  return copy;
}

/** Equality of JSON values: key order does not count, `1` and `1n` are the same number. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  if (typeof a !== 'object' || typeof b !== 'object') {
    // number against bigint: equal when both name the same integer
    // oxlint-disable-next-line eqeqeq
    return isNumber(a) && isNumber(b) && a == b;
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]));
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Walks nested objects by literal keys; undefined when any step is missing or no object. */
export function getPath(value: JsonValue | undefined, ...keys: string[]): JsonValue | undefined {
  let at = value;
  for (const key of keys) {
    if (!isObject(at)) return undefined;
    at = getOwn(at, key);
  }
  return at;
}

/** A string, number or boolean as text, as selectors compare it; undefined for lists, objects, null and what is absent. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}
