import { fieldError } from '../../api/field-error.ts';
import type { Keywords, StructuralSchema } from '../structure/structural.ts';
import type { ValidationRun } from './run.ts';

/*
 * Numbers against range, multipleOf and bounds. The messages and the order of
 * the checks are kube-apiserver's (kube-openapi pkg/validation/validate); the
 * arithmetic is exact. There, the fraction of a bound or factor is dropped for
 * integers, floats are divided (0.29 fails 0.01), and a bound beyond
 * the range of the type refuses every value.
 */

/** What numbers of a schema must fit; empty where that is not known. */
interface NumberKind {
  readonly type: 'integer' | 'number' | '';
  readonly format: string;
}

const FORMATS: Readonly<Record<NumberKind['type'], readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
  '': [],
};

function kindOf({ type, intOrString }: StructuralSchema, format: string): NumberKind {
  const known = !intOrString && (type === 'integer' || type === 'number') ? type : '';
  return { type: known, format: FORMATS[known].includes(format) ? format : '' };
}

/** Range of the type and format, then factor and bounds; all that fail are reported. */
export function checkNumber(
  run: ValidationRun,
  value: number | bigint,
  schema: StructuralSchema,
  keywords: Keywords | undefined,
): void {
  run.matches += 2;
  const kind = kindOf(schema, keywords?.format ?? '');
  checkRange(run, value, kind);
  if (keywords === undefined) return;
  const { maximum, minimum, multipleOf, exclusiveMaximum, exclusiveMinimum } = keywords;
  if (multipleOf !== undefined) checkMultiple(run, value, multipleOf);
  if (minimum !== undefined) {
    if (!(exclusiveMinimum ? value > minimum : value >= minimum) && run.fails()) {
      const limit = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
      run.reportInvalid(value, `should be ${limit} ${minimum}`);
    }
  }
  if (maximum !== undefined) {
    if (!(exclusiveMaximum ? value < maximum : value <= maximum) && run.fails()) {
      const limit = exclusiveMaximum ? 'less than' : 'less than or equal to';
      run.reportInvalid(value, `should be ${limit} ${maximum}`);
    }
  }
}

const INT32 = 2 ** 31;
const INT64 = 2 ** 63;

/** A value must fit what a format or the type stands for. */
function checkRange(
  run: ValidationRun,
  value: number | bigint,
  { type, format }: NumberKind,
): void {
  if (fitsKind(value, type, format) || !run.fails()) return;
  const shown = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
  run.reportAsWhole(`Checked value must be of type ${shown} in ${run.name()}`);
}

function fitsKind(value: number | bigint, type: NumberKind['type'], format: string): boolean {
  if (type === 'integer') {
    const most = format === 'int32' ? INT32 : INT64;
    const isWhole = typeof value === 'bigint' || Number.isInteger(value);
    return isWhole && value >= -most && value < most;
  }
  return format !== 'float' || Number.isFinite(Math.fround(Number(value)));
}

/** What a comparison of decimals costs, in steps of a validation's work: 2 to 3 µs. */
const STEPS_OF_DECIMALS = 4;

const isInteger = (value: number | bigint): boolean =>
  typeof value === 'bigint' || Number.isInteger(value);

function checkMultiple(run: ValidationRun, value: number | bigint, factor: number | bigint): void {
  if (factor <= 0) {
    if (!run.fails()) return;
    const why = `factor MultipleOf declared for ${run.name()} must be positive: ${factor}`;
    run.report(fieldError.invalid(run.path(), factor, why));
    return;
  }
  if (!isMultiple(run, value, factor) && run.fails()) {
    run.reportInvalid(value, `should be a multiple of ${factor}`);
  }
}

function isMultiple(run: ValidationRun, value: number | bigint, factor: number | bigint): boolean {
  if (isInteger(value) && isInteger(factor)) return divides(factor, value);
  return run.spend(STEPS_OF_DECIMALS) && dividesExactly(factor, value);
}

function divides(factor: number | bigint, value: number | bigint): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) {
    return Number(value) % Number(factor) === 0;
  }
  return BigInt(value) % BigInt(factor) === 0n;
}

/** As the numbers are written in decimal: 0.29 is a multiple of 0.01. */
function dividesExactly(factor: number | bigint, value: number | bigint): boolean {
  const [a, b] = [decimalOf(value), decimalOf(factor)];
  const scale = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent }: Decimal): bigint =>
    digits * 10n ** BigInt(exponent - scale);
  return scaled(a) % scaled(b) === 0n;
}

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number | bigint): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
