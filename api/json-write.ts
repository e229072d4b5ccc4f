import { setOwn, type JsonObject, type JsonValue } from './json.ts';

/** Keys that stand first at the root of every stored and served object, in this order. */
const LEADING_KEYS = ['apiVersion', 'kind', 'metadata'];

/**
 * JSON text of any value, bigints as integers. Keys keep their order.
 * `indent` as in JSON.stringify.
 */
export function stringifyJson(value: JsonValue, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // bigints are rare: finding out from the refusal saves a walk for all others
    if (!hasBigint(value)) throw error;
    return writeExact(value, indent ?? 0, 0);
  }
}

/**
 * Canonical JSON text of an object: `apiVersion`, `kind`, `metadata` first,
 * everything else and everything below sorted by key. Equal objects give equal
 * text, which is how a write that changes nothing is recognised.
 */
export function canonicalJson(object: JsonObject): string {
  const root: JsonObject = {};
  for (const key of rootKeys(object)) setOwn(root, key, sorted(object[key] as JsonValue));
  return stringifyJson(root);
}

/** The keys of an object in the order of canonical text. */
export function rootKeys(object: JsonObject): string[] {
  const others = Object.keys(object).filter((key) => !LEADING_KEYS.includes(key));
  sortKeys(others);
  return [...LEADING_KEYS.filter((key) => Object.hasOwn(object, key)), ...others];
}

/** With so many keys V8's sort is faster; it makes 1 KB of arrays for each call. */
const MANY_KEYS = 24;

/** Puts keys in the order of their code units; false when they were in it. */
function sortKeys(keys: string[]): boolean {
  let isMoved = false;
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let at = i;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    if (at === i) continue;
    keys[at] = key;
    isMoved = true;
    if (keys.length > MANY_KEYS) {
      keys.sort();
      break;
    }
  }
  return isMoved;
}

/** The value with every object's keys in order; parts that are in order already are not copied. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? sortedItems(value) : sortedObject(value);
}

function sortedItems(array: JsonValue[]): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let i = 0; i < array.length; i++) {
    const item = array[i] as JsonValue;
    const s = typeof item === 'object' ? sorted(item) : item;
    if (copy === undefined && s !== item) copy = array.slice(0, i);
    copy?.push(s);
  }
  return copy ?? array;
}

function sortedObject(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  let copy: JsonObject | undefined = sortKeys(keys) ? {} : undefined;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const item = object[key] as JsonValue;
    const s = typeof item === 'object' ? sorted(item) : item;
    if (copy === undefined && s !== item) copy = firstOf(object, keys, i);
    if (copy !== undefined) setOwn(copy, key, s);
  }
  return copy ?? object;
}

function firstOf(object: JsonObject, keys: readonly string[], count: number): JsonObject {
  const copy: JsonObject = {};
  for (const key of keys.slice(0, count)) setOwn(copy, key, object[key] as JsonValue);
  return copy;
}

function hasBigint(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasBigint);
  for (const key of Object.keys(value)) if (hasBigint(value[key] as JsonValue)) return true;
  return false;
}

function writeExact(value: JsonValue, indent: number, level: number): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const items = isArray
    ? value.map((item) => writeExact(item, indent, level + 1))
    : Object.keys(value).map(
        (key) =>
          `${JSON.stringify(key)}:${indent > 0 ? ' ' : ''}${writeExact(value[key] as JsonValue, indent, level + 1)}`,
      );
  const [open, close] = isArray ? '[]' : '{}';
  if (items.length === 0 || indent === 0) return `${open ?? ''}${items.join(',')}${close ?? ''}`;
  const inner = '\n' + ' '.repeat(indent * (level + 1));
  const outer = '\n' + ' '.repeat(indent * level);
  return `${open ?? ''}${inner}${items.join(',' + inner)}${outer}${close ?? ''}`;
}
