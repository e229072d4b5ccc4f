import type { Keywords, StructuralSchema } from '../structure/structural.ts';
import type { ValidationRun } from './run.ts';

/**
 * allOf, anyOf, oneOf and not. What fails is reported without a field, followed
 * by the errors of the alternative that came closest.
 */
export function checkJunctors(
  run: ValidationRun,
  { allOf, anyOf, oneOf, not }: Keywords,
  check: Check,
): void {
  if (anyOf.length > 0) checkAnyOf(run, anyOf, check);
  if (oneOf.length > 0) checkOneOf(run, oneOf, check);
  if (allOf.length > 0) checkAllOf(run, allOf, check);
  if (not !== undefined && attempt(run, not, check) > FAILED && run.fails()) {
    run.reportAsWhole(`${quoted(run)} must not validate the schema (not)`);
  }
}

/** Checks the value against a schema. */
type Check = (schema: StructuralSchema) => void;

/** What an alternative answers when the value does not fit it: minus one less its passed checks. */
const FAILED = -1;

/**
 * Tries an alternative: the checks that passed, or, when it failed, {@link FAILED}
 * less their number. The run is as it was afterwards, except for the work that is spent.
 */
function attempt(run: ValidationRun, schema: StructuralSchema, check: Check): number {
  const { failures, matches } = run;
  const differs = run.setDiffers(false);
  const quiet = run.setQuiet(true);
  run.matches = 0;
  check(schema);
  const result = run.failures === failures ? run.matches : FAILED - run.matches;
  run.failures = failures;
  run.matches = matches;
  run.setQuiet(quiet);
  run.setDiffers(differs);
  return result;
}

/** The failing alternative with the most passed checks, the first of equals. */
class Closest {
  schema: StructuralSchema | undefined;
  matches = 0;

  offer(schema: StructuralSchema, matches: number): void {
    if (this.schema !== undefined && matches <= this.matches) return;
    this.schema = schema;
    this.matches = matches;
  }

  /** Reports its errors, and counts its passed checks. */
  report(run: ValidationRun, check: Check): void {
    const before = run.matches;
    const differs = run.setDiffers(false);
    if (this.schema !== undefined) check(this.schema);
    run.setDiffers(differs);
    run.matches = before + this.matches;
  }
}

const quoted = (run: ValidationRun): string => JSON.stringify(run.name());

function checkAnyOf(
  run: ValidationRun,
  alternatives: readonly StructuralSchema[],
  check: Check,
): void {
  const closest = new Closest();
  for (const alternative of alternatives) {
    const result = attempt(run, alternative, check);
    if (result > FAILED) {
      run.matches += result;
      return;
    }
    closest.offer(alternative, FAILED - result);
  }
  if (run.fails()) {
    run.reportAsWhole(`${quoted(run)} must validate at least one schema (anyOf)`);
    closest.report(run, check);
  } else run.matches += closest.matches;
}

function checkOneOf(
  run: ValidationRun,
  alternatives: readonly StructuralSchema[],
  check: Check,
): void {
  const closest = new Closest();
  let valid = 0;
  let first = 0;
  for (const alternative of alternatives) {
    const result = attempt(run, alternative, check);
    if (result <= FAILED) closest.offer(alternative, FAILED - result);
    else if (valid++ === 0) first = result;
  }
  if (valid === 1) {
    run.matches += first;
    return;
  }
  if (run.fails()) {
    const found = valid === 0 ? 'none valid' : `${valid} valid alternatives`;
    run.reportAsWhole(
      `${quoted(run)} must validate one and only one schema (oneOf). Found ${found}`,
    );
    if (valid === 0) closest.report(run, check);
  } else if (valid === 0) run.matches += closest.matches;
}

function checkAllOf(run: ValidationRun, parts: readonly StructuralSchema[], check: Check): void {
  let valid = 0;
  for (const part of parts) {
    const { failures } = run;
    check(part);
    if (run.failures === failures) valid++;
  }
  if (valid < parts.length && run.fails()) {
    run.reportAsWhole(
      `${quoted(run)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`,
    );
  }
}
