import { deepEqual, getOwn, hasOwn, isObject, type JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from '../structure/structural.ts';

/*
 * Which old value belongs to which new one. Fields and entries of maps
 * correlate by name, items of list type map by their keys; items of other lists
 * do not correlate. Source: KEP-4008; k8s.io/apiserver pkg/cel/common.
 *
 * `undefined` stands for "no old value"; null is a value.
 */

/** The old value at `key`; undefined when there is none or the schema does not know the field. */
export function oldField(
  old: JsonValue | undefined,
  schema: StructuralSchema,
  key: string,
): JsonValue | undefined {
  return isObject(old) && schema.child(key) !== undefined ? getOwn(old, key) : undefined;
}

/** The old items of a list, to be looked up by the keys of new ones. */
export class OldItems {
  readonly #keys: readonly string[];
  readonly #items = new Map<JsonValue, JsonValue>();

  private constructor(keys: readonly string[], items: readonly JsonValue[]) {
    this.#keys = keys;
    for (const item of items) {
      const key = keyOf(item, keys);
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item);
    }
  }

  /** Undefined for lists whose items do not correlate. */
  static of(old: JsonValue | undefined, schema: StructuralSchema): OldItems | undefined {
    if (schema.listType !== 'map' || schema.listMapKeys.length === 0) return undefined;
    return Array.isArray(old) ? new OldItems(schema.listMapKeys, old) : undefined;
  }

  /** The first old item with the keys of `item`. */
  find(item: JsonValue): JsonValue | undefined {
    const key = keyOf(item, this.#keys);
    return key === undefined ? undefined : this.#items.get(key);
  }
}

/** One value that stands for the keys of an item; undefined when a key is absent or no scalar. */
function keyOf(item: JsonValue, keys: readonly string[]): JsonValue | undefined {
  if (!isObject(item)) return undefined;
  const values: string[] = [];
  for (const name of keys) {
    const value = getOwn(item, name);
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    if (keys.length === 1) return value;
    values.push(typeof value === 'string' ? JSON.stringify(value) : String(value));
  }
  return values.join(',');
}

/**
 * Whether a value is unchanged as ratcheting sees it: items of list type map in
 * any order. An object with fields that its schema does not know counts as
 * changed, as in kube-apiserver, which cannot correlate them.
 */
export function isUnchanged(value: JsonValue, old: JsonValue, schema: StructuralSchema): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    const oldItems = OldItems.of(old, schema);
    if (oldItems === undefined || schema.items === undefined) return deepEqual(value, old);
    const { items } = schema;
    return value.every((item) => {
      const oldItem = oldItems.find(item);
      return oldItem !== undefined && isUnchanged(item, oldItem, items);
    });
  }
  if (isObject(value) && isObject(old)) {
    const keys = Object.keys(value);
    return (
      keys.length === Object.keys(old).length &&
      keys.every((key) => {
        const child = schema.child(key);
        return (
          child !== undefined &&
          hasOwn(old, key) &&
          isUnchanged(value[key] as JsonValue, old[key] as JsonValue, child)
        );
      })
    );
  }
  return deepEqual(value, old);
}
