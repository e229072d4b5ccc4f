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

/** Order by code points. Only where surrogates come in does it differ from that of code units. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
