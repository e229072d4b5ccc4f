import { fieldError, fieldErrorText, type FieldError } from '../../api/field-error.ts';
import type { JsonValue } from '../../api/json.ts';

/** At most this many errors of one value are reported. */
export const MAX_FIELD_ERRORS = 256;
/**
 * Steps (a value against a schema) that one validation may take. The largest
 * objects of sane schemas take some hundred thousand; a schema with thousands of
 * alternatives over a large list is cut off here.
 */
const MAX_VALIDATION_STEPS = 1_000_000;

/** One validation: where it is, what it has found, how much it may still do. */
export class ValidationRun {
  readonly errors: FieldError[] = [];
  /** Counts errors even when they are not kept: alternatives are chosen by it. */
  failures = 0;
  /**
   * Checks that have passed, counted as kube-apiserver does: of several failing
   * alternatives the one with the most is reported.
   */
  matches = 0;
  #differs = false;
  #isQuiet = false;
  #steps = 0;
  readonly #path: (string | number)[] = [];
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  push(step: string | number): void {
    this.#path.push(step);
  }

  pop(): void {
    this.#path.pop();
  }

  /** Whether the walk is at the object itself. */
  get isAtRoot(): boolean {
    return this.#path.length === 0 && this.#base === '';
  }

  /**
   * Notes whether a value on the way up from here has turned out to differ from
   * its old one, so that those around it need not be compared. Returns the note
   * that was there.
   */
  setDiffers(differs: boolean): boolean {
    const before = this.#differs;
    this.#differs = differs;
    return before;
  }

  /** Counts work; false when there is none left: then nothing more is checked. */
  spend(steps: number): boolean {
    this.#steps += steps;
    return this.#steps <= MAX_VALIDATION_STEPS;
  }

  /**
   * All errors, among them that the work was not done to its end. What a schema
   * and an alternative in it both say of a value is said once.
   */
  finish(): FieldError[] {
    if (this.#steps > MAX_VALIDATION_STEPS) {
      this.reportAsWhole(
        `validation takes more than ${MAX_VALIDATION_STEPS} steps: the schema has too many alternatives for a value of this size`,
      );
    }
    if (this.errors.length < 2) return this.errors;
    const said = new Map(this.errors.map((error) => [fieldErrorText(error), error]));
    return said.size === this.errors.length ? this.errors : [...said.values()];
  }

  /**
   * Counts a failure; true when it is reported, so that messages are built only
   * for errors that are shown.
   */
  fails(): boolean {
    this.failures++;
    return !this.#isQuiet && this.errors.length < MAX_FIELD_ERRORS;
  }

  /** Takes back what was counted and kept since there were so many. */
  forget(failures: number, kept: number): void {
    this.failures = failures;
    this.errors.length = Math.min(this.errors.length, kept);
  }

  /** While quiet, checks only count how they come out. Returns what was set before. */
  setQuiet(isQuiet: boolean): boolean {
    const before = this.#isQuiet;
    this.#isQuiet = isQuiet;
    return before;
  }

  /** After {@link fails}. */
  report(error: FieldError): void {
    this.errors.push(error);
  }

  /** After {@link fails}: the value at hand is wrong; `value` is what the error shows of it. */
  reportInvalid(value: JsonValue, detail: string): void {
    this.report(fieldError.invalid(this.path(), value, `${this.name()} in body ${detail}`));
  }

  /** After {@link fails}: what kube-apiserver reports without a field, of junctors and ranges. */
  reportAsWhole(detail: string): void {
    this.report(fieldError.invalid(this.#base, '', detail));
  }

  /** Path of the value at hand inside the value that is validated, as messages name it. */
  name(): string {
    let name = '';
    for (const step of this.#path) {
      if (typeof step === 'number') name += `[${step}]`;
      else name = name === '' ? step : `${name}.${step}`;
    }
    return name;
  }

  /** Path of the value at hand from the root of the object. */
  path(): string {
    const name = this.name();
    if (this.#base === '' || name === '') return this.#base + name;
    return `${this.#base}.${name}`;
  }
}
