const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** A sign and the digits of the largest int64. */
const MAX_INT64_LENGTH = 20;

/**
 * A number literal as the server holds it: a safe integer or a float is a
 * number, another integer of 64 bits a bigint, anything larger a float.
 */
export function numberFromLiteral(literal: string): number | bigint {
  const number = Number(literal);
  if (Number.isSafeInteger(number) || literal.length > MAX_INT64_LENGTH) return number;
  if (!/^-?\d+$/.test(literal)) return number;
  const exact = BigInt(literal);
  return exact >= INT64_MIN && exact <= INT64_MAX ? exact : number;
}
