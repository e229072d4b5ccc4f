import { getOwn, getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { equalSteps } from '../../api/json-steps.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';

/**
 * Whether two objects differ in nothing but the times of their managed fields.
 * Such a write is none: the stored object stays (behaviours 5.4).
 *
 * Source: apiserver, endpoints/handlers/fieldmanager/equality.go.
 */
export function* equalButForTimesSteps(stored: JsonObject, next: JsonObject): Steps<boolean> {
  const [a, b] = [stored, next].map((object) => getPath(object, 'metadata', 'managedFields'));
  if (!(yield* sameEntries(a ?? [], b ?? []))) return false;
  if (!(yield* equalButForSteps('metadata', stored, next))) return false;
  return yield* equalButForSteps(
    'managedFields',
    objectIn(stored, 'metadata'),
    objectIn(next, 'metadata'),
  );
}

/** The member if it is an object; a new empty object otherwise. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = getOwn(object, key);
  return isObject(value) ? value : {};
}

/** Whether two objects are equal but for one member. */
function* equalButForSteps(member: string, a: JsonObject, b: JsonObject): Steps<boolean> {
  if (countBut(member, a) !== countBut(member, b)) return false;
  for (const key in a) {
    if (isStepOver()) yield;
    if (key === member) continue;
    const left = a[key];
    const right = getOwn(b, key);
    if (left === right) continue;
    if (left === undefined || right === undefined) return false;
    if (!(yield* equalSteps(left, right))) return false;
  }
  return true;
}

/** How many members there are in addition to `member`. */
export function countBut(member: string, object: JsonObject): number {
  return Object.keys(object).length - (Object.hasOwn(object, member) ? 1 : 0);
}

function* sameEntries(a: JsonValue, b: JsonValue): Steps<boolean> {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (const [i, entry] of a.entries()) {
    const other = b[i] as JsonValue;
    const areEqual =
      isObject(entry) && isObject(other)
        ? yield* equalButForSteps('time', entry, other)
        : yield* equalSteps(entry, other);
    if (!areEqual) return false;
  }
  return true;
}
