import { deepEqual, getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { withoutEntries } from './never-owned.ts';

/**
 * Whether two objects differ in nothing but the times of their managed fields.
 * Such a write is none: the stored object stays (behaviours 5.4).
 *
 * Source: apiserver, endpoints/handlers/fieldmanager/equality.go.
 */
export function equalButForEntryTimes(stored: JsonObject, next: JsonObject): boolean {
  const [a, b] = [stored, next].map((object) => getPath(object, 'metadata', 'managedFields'));
  return sameEntries(a ?? [], b ?? []) && deepEqual(withoutEntries(stored), withoutEntries(next));
}

function sameEntries(a: JsonValue, b: JsonValue): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((entry, i) => deepEqual(withoutTime(entry), withoutTime(b[i] as JsonValue)));
}

function withoutTime(entry: JsonValue): JsonValue {
  if (!isObject(entry)) return entry;
  const { time: _time, ...rest } = entry;
  return rest;
}
