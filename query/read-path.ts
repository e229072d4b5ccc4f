import { getOwn, isObject, type JsonValue } from '../api/json.ts';
import type { ValuePath } from './value-path.ts';

/** The value at a path of an object; undefined where there is none, or null. */
export function valueAt(object: JsonValue, { steps }: ValuePath): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of steps) {
    switch (step.kind) {
      case 'key':
        value = isObject(value) ? getOwn(value, step.key) : undefined;
        break;
      case 'index':
        value = Array.isArray(value) ? value[step.index] : undefined;
        break;
      case 'item':
        value = Array.isArray(value) ? itemOf(value, step.key, step.value) : undefined;
    }
    if (value === undefined || value === null) return undefined;
  }
  return value;
}

function itemOf(items: readonly JsonValue[], key: string, text: string): JsonValue | undefined {
  return items.find((item) => isObject(item) && textOfScalar(getOwn(item, key)) === text);
}

/** A single value as selectors compare it; undefined for lists, objects and what is absent. */
export function textOfScalar(value: JsonValue | undefined): string | undefined {
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
