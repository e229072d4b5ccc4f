import { compareNumbers } from './equal.ts';
import {
  CelBytes,
  CelDuration,
  CelError,
  CelTimestamp,
  noSuchOverload,
  type CelValue,
  type Failure,
} from './value.ts';

const NAN_UNORDERED = new CelError('NaN values cannot be ordered');

/**
 * Order of two values: negative, zero or positive. Numbers compare across their
 * types, anything else only within its own.
 */
export function compare(a: CelValue, b: CelValue): number | Failure {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  const numeric = compareNumbers(a, b);
  if (numeric !== undefined) return Number.isNaN(numeric) ? NAN_UNORDERED : numeric;
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) {
    return sign(a.nanoseconds - b.nanoseconds);
  }
  if (a instanceof CelDuration && b instanceof CelDuration) {
    return sign(a.nanoseconds - b.nanoseconds);
  }
  if (a instanceof CelBytes && b instanceof CelBytes) return Buffer.compare(a.value, b.value);
  return noSuchOverload(a, b);
}

function sign(difference: bigint): number {
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Order by code points, which UTF-16 order is not once there are surrogates. */
export function compareStrings(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
