import { exactText } from '../../client/exact.ts';
import type { ApiObject } from '../../client/objects.ts';

/** A value of JSON. An integer that a number cannot hold is a bigint. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonMap;
/** An object of JSON. Keys come from users: read them with {@link at}. */
export interface JsonMap {
  [key: string]: Json;
}

/** An object of the client, whose types name only what all kinds have, as the JSON that it is. */
export function jsonOf(object: ApiObject): Json {
  return object as unknown as Json;
}

/** Whether a value is an object of JSON. */
export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys and numbers; undefined where the path leads to nothing. */
export function at(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  let here: unknown = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here as Json | undefined;
}

/** The string at a path; empty where there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The list at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The entries of the object at a path; none where there is no object. */
export function entriesAt(value: unknown, ...path: readonly (string | number)[]): [string, Json][] {
  const found = path.length === 0 ? (value as Json) : at(value, ...path);
  return isMap(found) ? Object.entries(found) : [];
}

/** Whether two values are the same JSON, whatever the order of keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** A value as one short text for a cell. */
export function shortText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? exactText(value) : String(value);
}
