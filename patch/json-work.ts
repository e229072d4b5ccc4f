import { hasOwn, isObject, type JsonValue } from '../api/json.ts';

/** How many steps of work are left to a request; below zero it has to stop. */
export interface WorkBudget {
  left: number;
}

/** A member that is compared costs as much as so many items that are moved. */
const COMPARED = 40;

/** True when the value is nested at most `limit` deep; looks no deeper than that. */
export function depthWithin(value: JsonValue, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (limit === 0) return false;
  if (Array.isArray(value)) return value.every((item) => depthWithin(item, limit - 1));
  // without a list of keys: each managed field of a write is looked at
  for (const key in value) {
    if (!depthWithin(value[key] as JsonValue, limit - 1)) return false;
  }
  return true;
}

/**
 * Equality of JSON values that pays for every container it looks into. The
 * depth of `expected` bounds the recursion. False once the budget is used up.
 */
export function equalWithin(
  budget: WorkBudget,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): boolean {
  if (typeof expected !== 'object' || expected === null) return sameScalar(expected, actual);
  if (budget.left < 0) return false;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    budget.left -= COMPARED * expected.length;
    return expected.every((item, i) => equalWithin(budget, item, actual[i]));
  }
  if (!isObject(actual)) return false;
  const keys = Object.keys(expected);
  const size = Object.keys(actual).length;
  budget.left -= COMPARED * (keys.length + size);
  if (keys.length !== size) return false;
  return keys.every(
    (key) => hasOwn(actual, key) && equalWithin(budget, expected[key], actual[key]),
  );
}

/** `1` and `1n` are the same number; NaN equals nothing. */
function sameScalar(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  // oxlint-disable-next-line eqeqeq
  return isNumber(a) && isNumber(b) && a == b;
}

function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
