import { CelError, type CelValue } from './value.ts';

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;
export const UINT64_MAX = 2n ** 64n - 1n;

/** An int of the language: see {@link CelValue} for which of the two represents it. */
export type CelInt = number | bigint;

export const INT_OVERFLOW = new CelError('integer overflow');
export const UINT_OVERFLOW = new CelError('unsigned integer overflow');
export const DIVISION_BY_ZERO = new CelError('division by zero');
export const MODULUS_BY_ZERO = new CelError('modulus by zero');

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const MIN_SAFE = BigInt(Number.MIN_SAFE_INTEGER);

/**
 * A CEL int is a number while it is a safe integer, else a bigint. A uint and a double
 * are objects.
 */
export function isInt(value: CelValue): value is CelInt {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The representation of an integer, or an overflow error outside int64. */
export function intOf(value: bigint): CelInt | CelError {
  if (value >= MIN_SAFE && value <= MAX_SAFE) return Number(value);
  return value >= INT64_MIN && value <= INT64_MAX ? value : INT_OVERFLOW;
}

/** The sum, or an overflow error outside int64; the same for the operations below. */
export function addInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intOf(BigInt(a) + BigInt(b));
}

/** The difference, or an overflow error. */
export function subtractInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intOf(BigInt(a) - BigInt(b));
}

/** The product, or an overflow error. */
export function multiplyInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // `+ 0` turns -0 into 0, which is the only zero an int has
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return intOf(BigInt(a) * BigInt(b));
}

/** Truncates toward zero. */
export function divideInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (b === 0) return DIVISION_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return intOf(BigInt(a) / BigInt(b));
}

/** The sign is that of the dividend. */
export function moduloInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (b === 0) return MODULUS_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  // The one quotient that does not fit is an overflow for the remainder as well.
  if (a === INT64_MIN && b === -1) return INT_OVERFLOW;
  return intOf(BigInt(a) % BigInt(b));
}

/** The int with the other sign; the lowest int64 has none and is an overflow error. */
export function negateInt(a: CelInt): CelInt | CelError {
  return typeof a === 'number' ? 0 - a : intOf(-a);
}

/** An int from a double: truncated, an error when NaN or outside int64. */
export function intFromDouble(value: number): CelInt | CelError {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) return INT_OVERFLOW;
  return intOf(BigInt(Math.trunc(value)));
}
