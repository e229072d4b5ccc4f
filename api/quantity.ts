import type { JsonValue } from './json.ts';

/** How a quantity was written, and so how it is written back: `1Gi`, `1G` or `1e9`. */
type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** Longer texts are refused: no quantity of use has so many digits, and work grows with them. */
export const MAX_QUANTITY_LENGTH = 512;
/** Larger decimal exponents are refused, so that no number of more than some thousand digits arises. */
const MAX_QUANTITY_EXPONENT = 1024;

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
/** The smallest unit; what is below is rounded up, away from zero. */
const NANO = -9;
/** The largest decimal suffix, E. */
const EXA = 18;
/** More digits than these may not fit an int64. */
const INT64_DIGITS = 18;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

// sign, digits, fraction, then a suffix of SI, or a decimal exponent; no part overlaps the next
const QUANTITY =
  /^([+-]?)(0*)((?:[1-9]\d*)?)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/;

/** A quantity's text taken apart: the value is `sign * digits / 10 ** fraction`, times its suffix. */
interface Amount {
  readonly text: string;
  readonly sign: bigint;
  readonly digits: string;
  readonly fraction: number;
  /** `m` and `Ki` are 0 in kube, `Ei` and `e-20` are errors: only its path for large numbers asks. */
  readonly hasDigits: boolean;
}

/**
 * An exact amount of a resource: `100m`, `1.5Gi`, `12e6`. Immutable.
 *
 * Source of the rules: k8s.io/apimachinery pkg/api/resource. Kept from there on
 * purpose: a text that is already nearly canonical comes back as it was sent
 * (`1.500`, `+1`), and {@link toInt64} says no to integers that were written
 * with a fraction (`1000m`). Different on purpose: where kube loses the suffix
 * (`1000E` is written as `1`), the value is kept.
 */
export class Quantity {
  readonly format: QuantityFormat;
  /** The value is `#unscaled * 10 ** #scale`. */
  readonly #unscaled: bigint;
  readonly #scale: number;
  /** Held by kube as a big decimal, which it never offers as an int64 even if it is one. */
  readonly #wide: boolean;
  #text: string | undefined;

  private constructor(
    unscaled: bigint,
    scale: number,
    format: QuantityFormat,
    wide = false,
    text?: string,
  ) {
    this.#unscaled = unscaled;
    this.#scale = scale;
    this.format = format;
    this.#wide = wide;
    this.#text = text;
  }

  static readonly zero = new Quantity(0n, 0, 'DecimalSI');

  static fromInt64(value: bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity(value, 0, format);
  }

  /** Undefined when the string is not a quantity. Surrounding spaces are not allowed. */
  static parse(text: string): Quantity | undefined {
    if (text === '' || text.length > MAX_QUANTITY_LENGTH) return undefined;
    const match = QUANTITY.exec(text);
    if (match === null) return undefined;
    const [, sign, zeros = '', whole = '', fraction = '', si = '', exponentText] = match;
    const amount: Amount = {
      text,
      sign: sign === '-' ? -1n : 1n,
      digits: (whole === '' ? '0' : whole) + fraction,
      fraction: fraction.length,
      hasDigits: zeros + whole + fraction !== '',
    };
    if (si.endsWith('i')) return Quantity.#binary(amount, BINARY_SUFFIXES.indexOf(si));
    if (exponentText !== undefined) {
      return Quantity.#decimal(amount, Number(exponentText), 'DecimalExponent');
    }
    const exponent = si === '' ? 0 : 3 * DECIMAL_SUFFIXES.indexOf(si) + NANO;
    return Quantity.#decimal(amount, exponent, 'DecimalSI');
  }

  static #decimal(
    { text, sign, digits, fraction, hasDigits }: Amount,
    exponent: number,
    format: QuantityFormat,
  ): Quantity | undefined {
    const unscaled = BigInt(digits) * sign;
    if (unscaled === 0n && exponent > 0) return new Quantity(0n, 0, format);
    if (exponent > MAX_QUANTITY_EXPONENT) return undefined;
    const scale = exponent - fraction;
    if (digits.length <= INT64_DIGITS && scale >= NANO) {
      const isKept = scale % 3 === 0 && !digits.startsWith('0') && !digits.endsWith('000');
      return new Quantity(unscaled, scale, format, false, isKept ? text : undefined);
    }
    if (!hasDigits) return undefined;
    const bounded = Math.max(scale, NANO);
    return new Quantity(roundedUp(unscaled, scale, bounded), bounded, format, true);
  }

  static #binary(
    { text, sign, digits, fraction, hasDigits }: Amount,
    power: number,
  ): Quantity | undefined {
    const value = BigInt(digits) * 1024n ** BigInt(power);
    // three decimal digits for each 1024: what surely fits an int64
    if (fraction === 0 && digits.length + 3 * power < 15) {
      const isKept = (BigInt(digits) & 7n) !== 0n;
      return new Quantity(value * sign, 0, 'BinarySI', false, isKept ? text : undefined);
    }
    if (!hasDigits) return undefined;
    const scale = Math.max(-fraction, NANO);
    const one = 10n ** BigInt(-scale);
    const rounded = roundedUp(value, -fraction, scale);
    const capped = rounded > INT64_MAX * one ? INT64_MAX * one : rounded;
    const format = capped > 0n && capped < one ? 'DecimalSI' : 'BinarySI';
    return new Quantity(capped * sign, scale, format, true);
  }

  /** As JSON bodies carry it: a string, blanks around it ignored, a number, or null for zero. */
  static fromJson(value: JsonValue): Quantity | undefined {
    if (value === null) return Quantity.zero;
    if (typeof value === 'string') return Quantity.parse(value.trim());
    return typeof value === 'number' || typeof value === 'bigint'
      ? Quantity.parse(value.toString())
      : undefined;
  }

  /** The text as it is stored and served. */
  canonical(): string {
    this.#text ??= this.#write();
    return this.#text;
  }

  toString(): string {
    return this.canonical();
  }

  sign(): -1 | 0 | 1 {
    return order(this.#unscaled, 0n);
  }

  compare(other: Quantity): -1 | 0 | 1 {
    const [a, b] = this.#aligned(other);
    return order(a, b);
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  isLessThan(other: Quantity): boolean {
    return this.compare(other) < 0;
  }

  isGreaterThan(other: Quantity): boolean {
    return this.compare(other) > 0;
  }

  /** The sum, in the format of this one, or of the other when this is zero. */
  add(other: Quantity): Quantity {
    const format = this.#unscaled === 0n ? other.format : this.format;
    if (!this.#wide && !other.#wide) {
      if (other.#unscaled === 0n) return new Quantity(this.#unscaled, this.#scale, format);
      if (this.#unscaled === 0n) return new Quantity(other.#unscaled, other.#scale, format);
    }
    const [a, b, scale] = this.#aligned(other);
    const wide =
      this.#wide || other.#wide || ![a, b, a + b].every((x) => x >= INT64_MIN && x <= INT64_MAX);
    return new Quantity(a + b, scale, format, wide);
  }

  sub(other: Quantity): Quantity {
    return this.add(other.negate());
  }

  negate(): Quantity {
    return new Quantity(-this.#unscaled, this.#scale, this.format, this.#wide);
  }

  /** Rounded away from zero to a multiple of `10 ** scale`; resource lists are rounded to milli (-3). */
  roundUp(scale: number): Quantity {
    if (this.#scale >= scale) return this;
    return new Quantity(
      roundedUp(this.#unscaled, this.#scale, scale),
      scale,
      this.format,
      this.#wide,
    );
  }

  /** CEL's isInteger: whether {@link toInt64} gives a value. */
  isInteger(): boolean {
    return this.toInt64() !== undefined;
  }

  /** True when the value is a whole number, however it was written and however large. */
  isWhole(): boolean {
    return this.#scale >= 0 || this.#unscaled % 10n ** BigInt(-this.#scale) === 0n;
  }

  /** The whole number that is nearest, away from zero. */
  ceiling(): bigint {
    const whole = this.roundUp(0);
    return whole.#unscaled * 10n ** BigInt(whole.#scale);
  }

  /** CEL's asInteger. Undefined for fractions, for values over 64 bits and for big decimals. */
  toInt64(): bigint | undefined {
    if (this.#wide || this.#scale < 0) return undefined;
    const value = this.#unscaled * 10n ** BigInt(this.#scale);
    return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
  }

  /** The nearest float, or nearly so; infinite when out of range. */
  toNumber(): number {
    const base = Number(this.#unscaled);
    return this.#scale === 0 ? base : base * Number(`1e${this.#scale}`);
  }

  /** Both values at the finer of the two scales, and that scale. */
  #aligned(other: Quantity): [bigint, bigint, number] {
    const scale = Math.min(this.#scale, other.#scale);
    return [
      this.#unscaled * 10n ** BigInt(this.#scale - scale),
      other.#unscaled * 10n ** BigInt(other.#scale - scale),
      scale,
    ];
  }

  #write(): string {
    if (this.#unscaled === 0n) return '0';
    if (this.format === 'BinarySI') {
      // small and fractional amounts are shown in decimals, so that nothing is rounded
      const kibi = this.#aligned(Quantity.fromInt64(1024n));
      const isSmall = magnitude(kibi[0]) < kibi[1];
      if (!isSmall && this.isWhole()) return this.#writeBinary();
    }
    return this.#writeDecimal(this.format === 'DecimalExponent');
  }

  #writeBinary(): string {
    let value = this.ceiling();
    let power = 0;
    while (power < BINARY_SUFFIXES.length - 1 && value % 1024n === 0n) {
      value /= 1024n;
      power++;
    }
    return `${value}${BINARY_SUFFIXES[power] ?? ''}`;
  }

  #writeDecimal(asExponent: boolean): string {
    const digits = this.#unscaled.toString();
    let end = digits.length;
    while (digits[end - 1] === '0') end--;
    let exponent = this.#scale + digits.length - end;
    if (!asExponent) exponent = Math.min(exponent, EXA);
    exponent = 3 * Math.floor(exponent / 3);
    const mantissa =
      exponent >= this.#scale
        ? digits.slice(0, digits.length - (exponent - this.#scale))
        : digits + '0'.repeat(this.#scale - exponent);
    if (!asExponent) return mantissa + (DECIMAL_SUFFIXES[(exponent - NANO) / 3] ?? '');
    return exponent === 0 ? mantissa : `${mantissa}e${exponent}`;
  }
}

/** `unscaled * 10 ** from` as a count of `10 ** to`, rounded away from zero. */
function roundedUp(unscaled: bigint, from: number, to: number): bigint {
  if (from >= to) return unscaled * 10n ** BigInt(from - to);
  if (unscaled === 0n) return 0n;
  const sign = unscaled < 0n ? -1n : 1n;
  // fewer digits than are cut off: no need to raise ten to a power that a client chose
  if (unscaled.toString().length < to - from) return sign;
  const divisor = 10n ** BigInt(to - from);
  const exact = unscaled % divisor === 0n;
  return unscaled / divisor + (exact ? 0n : sign);
}

function order(a: bigint, b: bigint): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
