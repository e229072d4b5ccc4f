// Made from entry-times.ts by `npm run generate:twins`: the same without rests.
import { type JsonObject, type JsonValue, deepEqual, getPath } from '../../api/json.ts';
import { withoutEntries } from './never-owned.ts';
import { withoutTime } from './entry-times.ts';

/**
 * Whether two objects differ in nothing but the times of their managed fields.
 * Such a write is none: the stored object stays (behaviours 5.4).
 *
 * Source: apiserver, endpoints/handlers/fieldmanager/equality.go.
 */
export function equalButForTimes(stored: JsonObject, next: JsonObject): boolean {
  const [a, b] = [stored, next].map((object) => getPath(object, 'metadata', 'managedFields'));
  if (!sameEntries(a ?? [], b ?? [])) return false;
  return deepEqual(withoutEntries(stored), withoutEntries(next));
}

function sameEntries(a: JsonValue, b: JsonValue): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (const [i, entry] of a.entries()) {
    if (!deepEqual(withoutTime(entry), withoutTime(b[i] as JsonValue))) return false;
  }
  return true;
}
