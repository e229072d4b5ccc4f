import type { JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';

/**
 * Drops nulls that a schema does not allow, in place, unless there is a default
 * that would take their place. Source: behaviours 7.4, of what conversions
 * answer, where no defaults are filled in.
 */
export function dropNulls(value: JsonValue, schema: StructuralSchema): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const item of value) dropNulls(item, items);
    return;
  }
  for (const key of Object.keys(value)) {
    const child = schema.child(key);
    if (child === undefined) continue;
    if (value[key] !== null) dropNulls(value[key] as JsonValue, child);
    else if (!child.nullable && child.default === undefined) Reflect.deleteProperty(value, key);
  }
}
