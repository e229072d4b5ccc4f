import { deepClone, hasOwn, setOwn, type JsonValue } from '../api/json.ts';
import type { StructuralSchema } from './structural.ts';

/**
 * Fills in the schema's defaults, in place, also inside what a default has just
 * brought in. A null where nullable is false counts as absent: it becomes the
 * default, or goes (unless `keepNulls`: then validation will refuse it). Each
 * place gets a copy of its own.
 *
 * Source: behaviours 7.4, apiextensions-apiserver pkg/apiserver/schema/defaulting.
 */
export function applyDefaults(value: JsonValue, schema: StructuralSchema, keepNulls = false): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as JsonValue;
      if (item !== null) applyDefaults(item, items, keepNulls);
      else if (!items.nullable && items.default !== undefined) {
        value[i] = deepClone(items.default);
        applyDefaults(value[i] as JsonValue, items, keepNulls);
      }
    }
    return;
  }
  for (const { name, schema: property } of schema.defaulted) {
    if (!hasOwn(value, name) || (value[name] === null && !property.nullable)) {
      setOwn(value, name, deepClone(property.default as JsonValue));
    }
  }
  for (const key in value) {
    const child = schema.child(key);
    if (child === undefined) continue;
    if (value[key] === null && !child.nullable) {
      // only keys of additionalProperties still have a default to get here
      if (child.default === undefined) {
        if (keepNulls) continue;
        // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- rare, and in place by contract
        delete value[key];
        continue;
      }
      setOwn(value, key, deepClone(child.default));
    }
    applyDefaults(value[key] as JsonValue, child, keepNulls);
  }
}
