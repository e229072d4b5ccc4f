import { deepEqual, isObject, setOwn, type JsonObject, type JsonValue } from './json.ts';
import { isStepOver, type Steps } from './steps.ts';

/** A copy that shares nothing with the original, made in steps. */
export function* cloneSteps<T extends JsonValue>(value: T): Steps<T> {
  return (yield* clonePart(value)) as T;
}

function* clonePart(value: JsonValue): Steps<JsonValue> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const copy: JsonValue[] = [];
    for (const item of value) {
      if (isStepOver()) yield;
      copy.push(typeof item === 'object' ? yield* clonePart(item) : item);
    }
    return copy;
  }
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (isStepOver()) yield;
    const child = value[key] as JsonValue;
    setOwn(copy, key, typeof child === 'object' ? yield* clonePart(child) : child);
  }
  return copy;
}

/** A copy that shares nothing with the original and cannot be changed, made in steps. */
export function* frozenSteps<T extends JsonValue>(value: T): Steps<T> {
  const copy = yield* cloneSteps(value);
  yield* freezePart(copy);
  return copy;
}

function* freezePart(value: JsonValue): Steps<void> {
  if (typeof value !== 'object' || value === null) return;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    if (isStepOver()) yield;
    if (typeof part === 'object') yield* freezePart(part);
  }
  Object.freeze(value);
}

/** A copy of the object itself, which shares what is below it, made in steps. */
export function* shallowSteps<T>(object: Readonly<Record<string, T>>): Steps<Record<string, T>> {
  const copy: Record<string, T> = {};
  for (const key of Object.keys(object)) {
    if (isStepOver()) yield;
    setOwn(copy, key, object[key] as T);
  }
  return copy;
}

/** `deepEqual` in steps. */
export function* equalSteps(a: JsonValue, b: JsonValue): Steps<boolean> {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    for (const [i, item] of a.entries()) {
      if (isStepOver()) yield;
      if (!(yield* equalSteps(item, b[i] as JsonValue))) return false;
    }
    return true;
  }
  if (!isObject(a) || !isObject(b)) return deepEqual(a, b);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (isStepOver()) yield;
    const [left, right] = [a[key] as JsonValue, b[key]];
    if (left === right) continue;
    if (right === undefined) return false;
    if (!(yield* equalSteps(left, right))) return false;
  }
  return true;
}
