import { fieldError } from '../../api/field-error.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { deepEqual, type JsonValue } from '../../api/json.ts';
import { writtenPattern } from '../../cel/value/pattern.ts';
import { stringFormat } from '../formats/registry.ts';
import type { Keywords } from '../keywords.ts';
import type { StructuralSchema } from '../structural.ts';
import type { ValidationRun } from './run.ts';

/** Characters that cost one step of a validation's work when a text is looked at. */
const CHARACTERS_PER_STEP = 256;
/** Instructions of patterns that cost one step, each of them for each character. */
const INSTRUCTIONS_PER_STEP = 128;

/** Length, then pattern: only the first that fails is reported; the format is reported besides. */
export function checkString(
  run: ValidationRun,
  text: string,
  schema: StructuralSchema,
  keywords: Keywords,
): void {
  run.matches++;
  if (text.length > CHARACTERS_PER_STEP) run.spend(text.length / CHARACTERS_PER_STEP);
  const { maxLength, minLength, pattern, format } = keywords;
  if (maxLength !== undefined && isLonger(text, maxLength)) {
    if (run.fails()) run.report(fieldError.tooLong(run.path(), maxLength));
  } else if (minLength !== undefined && minLength > 0 && !isLonger(text, minLength - 1)) {
    if (run.fails()) run.reportInvalid(text, `should be at least ${minLength} chars long`);
  } else if (pattern !== '') checkPattern(run, text, pattern);
  // formats of numbers say nothing of a text
  const isEnforced = schema.type === '' || schema.type === 'string';
  if (format === '' || !isEnforced) return;
  const check = stringFormat(format);
  if (check === undefined) return;
  run.matches++;
  if (!check(text) && run.fails()) {
    run.report(
      fieldError.typeInvalid(
        run.path(),
        text,
        `${run.name()} in body must be of type ${format}: ${JSON.stringify(text)}`,
      ),
    );
  }
}

function checkPattern(run: ValidationRun, text: string, pattern: string): void {
  const compiled = writtenPattern(pattern).compile();
  if (typeof compiled !== 'string') {
    if (!run.spend((text.length * compiled.instructions) / INSTRUCTIONS_PER_STEP)) return;
    if (compiled.compiled.test(text)) return;
  }
  if (!run.fails()) return;
  const why = typeof compiled === 'string' ? `, but pattern is invalid: ${compiled}` : '';
  run.reportInvalid(text, `should match '${pattern}'${why}`);
}

/** Whether a text has more than `max` characters (code points), counting only when it must. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0xd800 && c <= 0xdbff) i++;
    if (++count > max) return true;
  }
  return false;
}

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** Range of the type and format, then the bounds; all that fail are reported. */
export function checkNumber(
  run: ValidationRun,
  value: number | bigint,
  schema: StructuralSchema,
  keywords: Keywords | undefined,
): void {
  run.matches += 2;
  checkRange(run, value, schema, keywords?.format ?? '');
  if (keywords === undefined) return;
  const { maximum, minimum, multipleOf } = keywords;
  if (multipleOf !== undefined) checkMultiple(run, value, multipleOf);
  if (maximum !== undefined) {
    const isBelow = keywords.exclusiveMaximum ? value < maximum : value <= maximum;
    if (!isBelow && run.fails()) {
      const limit = keywords.exclusiveMaximum ? 'less than' : 'less than or equal to';
      run.reportInvalid(value, `should be ${limit} ${maximum}`);
    }
  }
  if (minimum !== undefined) {
    const isAbove = keywords.exclusiveMinimum ? value > minimum : value >= minimum;
    if (!isAbove && run.fails()) {
      const limit = keywords.exclusiveMinimum ? 'greater than' : 'greater than or equal to';
      run.reportInvalid(value, `should be ${limit} ${minimum}`);
    }
  }
}

/** A number must fit the type that a format or `integer` stands for. */
function checkRange(
  run: ValidationRun,
  value: number | bigint,
  { type, intOrString }: StructuralSchema,
  format: string,
): void {
  if (intOrString) return;
  if (type === 'integer') {
    const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
    const fits = format === 'int32' ? value >= INT32_MIN && value <= INT32_MAX : true;
    if ((isInteger && fits) || !run.fails()) return;
    const known = format === 'int32' || format === 'int64';
    const kind = known ? `integer with format ${format}` : 'integer (default format)';
    run.reportAsWhole(`Checked value must be of type ${kind} in ${run.name()}`);
  } else if (type === 'number' && format === 'float') {
    if (Number.isFinite(Math.fround(Number(value))) || !run.fails()) return;
    run.reportAsWhole(`Checked value must be of type number with format float in ${run.name()}`);
  }
}

/** How far a quotient of floats may be from an integer, in proportion. */
const QUOTIENT_TOLERANCE = 1e-9;

function checkMultiple(run: ValidationRun, value: number | bigint, factor: number | bigint): void {
  if (factor <= 0) {
    if (!run.fails()) return;
    const why = `factor MultipleOf declared for ${run.name()} must be positive: ${factor}`;
    run.report(fieldError.invalid(run.path(), factor, why));
  } else if (!isMultiple(value, factor) && run.fails()) {
    run.reportInvalid(value, `should be a multiple of ${factor}`);
  }
}

function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  const isExact = (n: number | bigint): boolean => typeof n === 'bigint' || Number.isSafeInteger(n);
  if (isExact(value) && isExact(factor)) {
    if (typeof value === 'number' && typeof factor === 'number') return value % factor === 0;
    return BigInt(value) % BigInt(factor) === 0n;
  }
  const [v, f] = [Number(value), Number(factor)];
  const quotient = f < 1 ? (1 / f) * v : v / f;
  if (!Number.isFinite(quotient)) return false;
  const whole = Math.round(quotient);
  return Math.abs(quotient - whole) <= QUOTIENT_TOLERANCE * Math.max(1, Math.abs(quotient));
}

/** One of the values that are listed. As in the reference, null is in no list. */
export function checkEnum(
  run: ValidationRun,
  value: JsonValue,
  allowed: readonly JsonValue[],
): void {
  run.spend(allowed.length / 8);
  if (value !== null && allowed.some((item) => deepEqual(item, value))) return;
  if (!run.fails()) return;
  const texts = allowed.map((item) => (typeof item === 'string' ? item : stringifyJson(item)));
  run.report(fieldError.notSupported(run.path(), value, texts));
}
