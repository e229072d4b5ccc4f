import { fieldError } from '../../api/field-error.ts';
import type { Keywords } from '../keywords.ts';
import type { StructuralSchema } from '../structural.ts';
import type { ValidationRun } from './run.ts';

/*
 * Numbers against range, multipleOf and bounds, in the reference's own way: an
 * integer is compared as one, so that the fraction of a bound or factor does not
 * count (0 is not below 0.5, and 2 is no multiple of 0.5, whose whole part is 0);
 * other numbers are compared as floats. Source: kube-openapi pkg/validation/validate.
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
  checkRange(run, 'Checked', value, kind);
  if (keywords === undefined) return;
  const { maximum, minimum, multipleOf, exclusiveMaximum, exclusiveMinimum } = keywords;
  if (multipleOf !== undefined) {
    const fits = checkRange(run, 'MultipleOf', Number(multipleOf), kind);
    checkMultiple(run, value, Number(multipleOf), fits);
  }
  if (minimum !== undefined) {
    const fits = checkRange(run, 'Minimum boundary', Number(minimum), kind);
    const [at, bound] = comparable(value, Number(minimum), fits);
    if (!(exclusiveMinimum ? at > bound : at >= bound) && run.fails()) {
      const limit = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
      run.reportInvalid(value, `should be ${limit} ${bound}`);
    }
  }
  if (maximum !== undefined) {
    const fits = checkRange(run, 'Maximum boundary', Number(maximum), kind);
    const [at, bound] = comparable(value, Number(maximum), fits);
    if (!(exclusiveMaximum ? at < bound : at <= bound) && run.fails()) {
      const limit = exclusiveMaximum ? 'less than' : 'less than or equal to';
      run.reportInvalid(value, `should be ${limit} ${bound}`);
    }
  }
}

const INT32 = 2 ** 31;
const INT64 = 2 ** 63;

/** A value, a bound and a factor must each fit what a format or the type stands for. */
function checkRange(
  run: ValidationRun,
  what: string,
  value: number | bigint,
  { type, format }: NumberKind,
): boolean {
  if (fitsKind(value, type, format)) return true;
  if (run.fails()) {
    const shown = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
    run.reportAsWhole(`${what} value must be of type ${shown} in ${run.name()}`);
  }
  return false;
}

function fitsKind(value: number | bigint, type: NumberKind['type'], format: string): boolean {
  if (type === 'integer') {
    const most = format === 'int32' ? INT32 : INT64;
    const isWhole = typeof value === 'bigint' || Number.isInteger(value);
    return isWhole && value >= -most && value < most;
  }
  return format !== 'float' || Number.isFinite(Math.fround(Number(value)));
}

const isInteger = (value: number | bigint): boolean =>
  typeof value === 'bigint' || Number.isSafeInteger(value);

/** Both as integers or both as floats. */
function comparable(
  value: number | bigint,
  bound: number,
  fits: boolean,
): [number | bigint, number] {
  return fits && isInteger(value) ? [value, whole(bound)] : [Number(value), bound];
}

/** The whole part; what does not fit 64 bits becomes the least that does, as on common processors. */
function whole(value: number): number {
  return value >= -INT64 && value < INT64 ? Math.trunc(value) : -INT64;
}

function checkMultiple(
  run: ValidationRun,
  value: number | bigint,
  declared: number,
  fits: boolean,
): void {
  const asIntegers = fits && isInteger(value);
  const factor = asIntegers ? whole(declared) : declared;
  if (factor <= 0) {
    if (!run.fails()) return;
    const why = `factor MultipleOf declared for ${run.name()} must be positive: ${factor}`;
    run.report(fieldError.invalid(run.path(), factor, why));
    return;
  }
  const isMultiple = asIntegers
    ? BigInt(value) % BigInt(factor) === 0n
    : isNearlyWhole(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
  if (!isMultiple && run.fails()) run.reportInvalid(value, `should be a multiple of ${factor}`);
}

/** How far a quotient of floats may be above an integer, in proportion to both. */
const QUOTIENT_TOLERANCE = 1e-9;

/** Whether a quotient is whole, or a little more; one that is a little less is not. */
function isNearlyWhole(quotient: number): boolean {
  if (!(Math.abs(quotient) <= Number.MAX_SAFE_INTEGER)) return false;
  if (Number.isInteger(quotient)) return true;
  const below = Math.trunc(quotient);
  return below > 0 && (quotient - below) / (quotient + below) < QUOTIENT_TOLERANCE;
}
