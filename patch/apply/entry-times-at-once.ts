// Made from entry-times.ts by `npm run generate:twins`: the same without rests.
import { countBut, objectIn } from './entry-times.ts';
import {
  type JsonObject,
  type JsonValue,
  deepEqual,
  getOwn,
  getPath,
  isObject,
} from '../../api/json.ts';

/**
 * Whether two objects differ in nothing but the times of their managed fields.
 * Such a write is none: the stored object stays (behaviours 5.4).
 *
 * Source: apiserver, endpoints/handlers/fieldmanager/equality.go.
 */
export function equalButForTimes(stored: JsonObject, next: JsonObject): boolean {
  const [a, b] = [stored, next].map((object) => getPath(object, 'metadata', 'managedFields'));
  if (!sameEntries(a ?? [], b ?? [])) return false;
  if (!equalButFor('metadata', stored, next)) return false;
  return equalButFor('managedFields', objectIn(stored, 'metadata'), objectIn(next, 'metadata'));
}

/** Whether two objects are equal but for one member. */
function equalButFor(member: string, a: JsonObject, b: JsonObject): boolean {
  if (countBut(member, a) !== countBut(member, b)) return false;
  for (const key in a) {
    if (key === member) continue;
    const left = a[key];
    const right = getOwn(b, key);
    if (left === right) continue;
    if (left === undefined || right === undefined) return false;
    if (!deepEqual(left, right)) return false;
  }
  return true;
}

function sameEntries(a: JsonValue, b: JsonValue): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (const [i, entry] of a.entries()) {
    const other = b[i] as JsonValue;
    const areEqual =
      isObject(entry) && isObject(other)
        ? equalButFor('time', entry, other)
        : deepEqual(entry, other);
    if (!areEqual) return false;
  }
  return true;
}
