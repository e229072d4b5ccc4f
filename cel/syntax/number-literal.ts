import { CelDouble, CelUint, type CelValue } from '../value/value.ts';
import { INT64_MAX, INT64_MIN, intOf, UINT64_MAX } from '../value/int.ts';
import { LiteralError } from './string-literal.ts';

/**
 * An int literal with its sign, decimal or hexadecimal.
 *
 * @throws LiteralError outside int64
 */
export function intLiteral(text: string, negative: boolean): CelValue {
  const value = negative ? -BigInt(text) : BigInt(text);
  if (value < INT64_MIN || value > INT64_MAX) throw new LiteralError('invalid int literal');
  return intOf(value);
}

/**
 * A uint literal with its suffix.
 *
 * @throws LiteralError outside uint64
 */
export function uintLiteral(text: string): CelValue {
  const value = BigInt(text.slice(0, -1));
  if (value > UINT64_MAX) throw new LiteralError('invalid uint literal');
  return new CelUint(value);
}

/** @throws LiteralError when the number is too large for a double */
export function doubleLiteral(text: string): CelValue {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new LiteralError('invalid double literal');
  return new CelDouble(value);
}
