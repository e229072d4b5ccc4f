import type { FieldError } from '../../api/field-error.ts';
import type { PatternBudget } from '../../cel/value/pattern-budget.ts';

/** At most this many errors of one schema are reported. */
export const MAX_SCHEMA_ERRORS = 256;

/** Collects what is wrong with a schema. */
export class Report {
  readonly errors: FieldError[] = [];
  /** Errors that were found, whether kept or not. */
  count = 0;
  readonly patterns: PatternBudget;

  constructor(patterns: PatternBudget) {
    this.patterns = patterns;
  }

  add(...errors: readonly FieldError[]): void {
    this.count += errors.length;
    for (const error of errors) {
      if (this.errors.length < MAX_SCHEMA_ERRORS) this.errors.push(error);
    }
  }
}
