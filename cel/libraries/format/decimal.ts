const VIEW = new DataView(new ArrayBuffer(8));
const EXPONENT_BITS = 0x7ffn;
const FRACTION_MASK = (1n << 52n) - 1n;

/** A finite double as an exact fraction: numerator / 2^shift. */
function exact(value: number): { numerator: bigint; shift: bigint } {
  VIEW.setFloat64(0, Math.abs(value));
  const bits = VIEW.getBigUint64(0);
  const exponent = (bits >> 52n) & EXPONENT_BITS;
  const fraction = bits & FRACTION_MASK;
  const mantissa = exponent === 0n ? fraction : fraction | (1n << 52n);
  const power = (exponent === 0n ? 1n : exponent) - 1075n;
  return power >= 0n
    ? { numerator: mantissa << power, shift: 0n }
    : { numerator: mantissa, shift: -power };
}

/** numerator / denominator as an integer, halves to even. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator - quotient * denominator) * 2n;
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

function sign(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

/** `%.<precision>f` of a finite double, exact to the last digit. */
export function toFixed(value: number, precision: number): string {
  const { numerator, shift } = exact(value);
  const scaled = divideRounded(numerator * 10n ** BigInt(precision), 1n << shift).toString();
  if (precision === 0) return sign(value) + scaled;
  const digits = scaled.padStart(precision + 1, '0');
  const point = digits.length - precision;
  return `${sign(value)}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** A double as a number between 1 and 10 with `precision` digits, and a power of ten. */
export function toScientific(
  value: number,
  precision: number,
): { sign: string; mantissa: string; exponent: number } {
  const { numerator, shift } = exact(value);
  let exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  let digits = scaledDigits(numerator, shift, precision - exponent);
  // The logarithm can be off by one, and rounding can carry into another digit.
  while (digits.length > precision + 1)
    digits = scaledDigits(numerator, shift, precision - ++exponent);
  while (value !== 0 && digits.length < precision + 1) {
    digits = scaledDigits(numerator, shift, precision - --exponent);
  }
  digits = digits.padEnd(precision + 1, '0');
  const fraction = digits.slice(1);
  const mantissa = fraction === '' ? digits : `${digits.charAt(0)}.${fraction}`;
  return { sign: sign(value), mantissa, exponent };
}

function scaledDigits(numerator: bigint, shift: bigint, power: number): string {
  const ten = 10n ** BigInt(Math.abs(power));
  return power >= 0
    ? divideRounded(numerator * ten, 1n << shift).toString()
    : divideRounded(numerator, (1n << shift) * ten).toString();
}
