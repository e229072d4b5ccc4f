import { getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { equalSteps } from '../../api/json-steps.ts';
import type { Steps } from '../../api/steps.ts';
import { withoutEntries } from './never-owned.ts';

/**
 * Whether two objects differ in nothing but the times of their managed fields.
 * Such a write is none: the stored object stays (behaviours 5.4).
 *
 * Source: apiserver, endpoints/handlers/fieldmanager/equality.go.
 */
export function* equalButForTimesSteps(stored: JsonObject, next: JsonObject): Steps<boolean> {
  const [a, b] = [stored, next].map((object) => getPath(object, 'metadata', 'managedFields'));
  if (!(yield* sameEntries(a ?? [], b ?? []))) return false;
  return yield* equalSteps(withoutEntries(stored), withoutEntries(next));
}

function* sameEntries(a: JsonValue, b: JsonValue): Steps<boolean> {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (const [i, entry] of a.entries()) {
    if (!(yield* equalSteps(withoutTime(entry), withoutTime(b[i] as JsonValue)))) return false;
  }
  return true;
}

export function withoutTime(entry: JsonValue): JsonValue {
  if (!isObject(entry)) return entry;
  const { time: _time, ...rest } = entry;
  return rest;
}
