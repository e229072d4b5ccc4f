import { getOwn, isObject, scalarText, type JsonValue } from '../api/json.ts';
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
  return items.find((item) => isObject(item) && scalarText(getOwn(item, key)) === text);
}
