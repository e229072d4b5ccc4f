import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { itemsOf, valuesOf } from './message.ts';

/**
 * Takes out what a client has not set: protobuf has the zero value of every field
 * but pointers. Built-in kinds leave these out when they are decoded; of a kind
 * that a definition brings they would be stored, and take the place of defaults.
 */
export function dropUnset(object: JsonObject, { properties }: StructuralSchema): void {
  for (const [name, value] of Object.entries(object)) {
    const schema = properties?.get(name);
    if (schema === undefined) continue;
    if (isUnset(value, schema)) Reflect.deleteProperty(object, name);
    else dropInside(value, schema);
  }
}

function isUnset(value: JsonValue, { typed }: StructuralSchema): boolean {
  if (value === null) return true;
  if (typed === undefined || typed.pointer || typed.omit !== 'empty') return false;
  return value === '' || value === 0 || value === false;
}

function dropInside(value: JsonValue, schema: StructuralSchema): void {
  switch (schema.typed?.kind) {
    case 'struct':
      if (isObject(value)) dropUnset(value, schema);
      return;
    case 'list':
      if (!Array.isArray(value)) return;
      for (const item of value) dropInside(item, itemsOf(schema));
      return;
    case 'map':
      if (!isObject(value)) return;
      for (const entry of Object.values(value)) dropInside(entry, valuesOf(schema));
      return;
    default:
  }
}
