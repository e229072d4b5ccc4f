import { fieldError } from '../../api/field-error.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { deepEqual, type JsonValue } from '../../api/json.ts';
import { writtenPattern } from '../../cel/value/pattern.ts';
import { stringFormat } from '../formats/registry.ts';
import type { Keywords, StructuralSchema } from '../structure/structural.ts';
import type { ValidationRun } from './run.ts';

/** Characters that cost one step of a validation's work when a text is looked at. */
const CHARACTERS_PER_STEP = 256;
/** Instructions of patterns that cost one step, each of them for each character. */
const INSTRUCTIONS_PER_STEP = 128;
/** Values of a list that cost one step when a value is compared with all of them. */
const VALUES_PER_STEP = 4;

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
    if (run.fails()) run.report(fieldError.tooLong(run.path(), maxLength, 'characters'));
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

/** One of the values that are listed; null, too, only where the list has it. */
export function checkEnum(
  run: ValidationRun,
  value: JsonValue,
  allowed: readonly JsonValue[],
): void {
  if (typeof value === 'string') {
    run.spend(1);
    if (textsIn(allowed).has(value)) return;
  } else {
    run.spend(allowed.length / VALUES_PER_STEP);
    if (allowed.some((item) => deepEqual(item, value))) return;
  }
  if (!run.fails()) return;
  run.report(fieldError.notSupported(run.path(), value, namesOf(allowed)));
}

/** For each list: its texts, and its values as messages name them. */
const texts = new WeakMap<readonly JsonValue[], ReadonlySet<JsonValue>>();
const names = new WeakMap<readonly JsonValue[], readonly string[]>();

function textsIn(allowed: readonly JsonValue[]): ReadonlySet<JsonValue> {
  let known = texts.get(allowed);
  if (known === undefined) {
    known = new Set(allowed.filter((item) => typeof item === 'string'));
    texts.set(allowed, known);
  }
  return known;
}

function namesOf(allowed: readonly JsonValue[]): readonly string[] {
  let known = names.get(allowed);
  if (known === undefined) {
    known = allowed.map((item) => (typeof item === 'string' ? item : stringifyJson(item)));
    names.set(allowed, known);
  }
  return known;
}
