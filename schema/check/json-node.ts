import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';

/*
 * Reading one node of a schema in JSON that has been decoded (types are right,
 * empty things are absent) but not yet accepted.
 */

export const JUNCTOR_LISTS = ['allOf', 'anyOf', 'oneOf'] as const;

/** The text of a keyword; empty when absent. */
export function textOf(node: JsonObject, keyword: string): string {
  const value = getOwn(node, keyword);
  return typeof value === 'string' ? value : '';
}

/** The strings of a list under a keyword; other items are left out. */
export function stringsOf(node: JsonObject, keyword: string): readonly string[] {
  const value = getOwn(node, keyword);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A schema under a keyword; undefined when there is none, or something else (a list, a boolean). */
export function schemaAt(node: JsonObject, keyword: string): JsonObject | undefined {
  const value = getOwn(node, keyword);
  return isObject(value) ? value : undefined;
}

/** The schemas of a list under a keyword such as `allOf`. */
export function schemasAt(node: JsonObject, keyword: string): readonly JsonObject[] {
  const value = getOwn(node, keyword);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The named schemas under a keyword such as `properties`. */
export function namedSchemas(node: JsonObject, keyword: string): [string, JsonObject][] {
  const value = getOwn(node, keyword);
  if (!isObject(value)) return [];
  const found: [string, JsonObject][] = [];
  for (const name of Object.keys(value)) {
    const schema = getOwn(value, name);
    if (isObject(schema)) found.push([name, schema]);
  }
  return found;
}

/** Whether a keyword says anything: not absent, null, false, or an empty text, list or object. */
export function isSaid(value: JsonValue | undefined): value is JsonValue {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (typeof value !== 'object') return true;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

/** Whether there is a default; null is none. */
export function hasDefault(node: JsonObject): boolean {
  return (getOwn(node, 'default') ?? null) !== null;
}
