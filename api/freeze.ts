import type { JsonValue } from './json.ts';

/** Makes a JSON value and everything in it unchangeable; in place. Depth is bounded by the parser's limit. */
export function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Array.isArray(value) ? value : Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
