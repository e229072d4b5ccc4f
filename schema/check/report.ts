import type { FieldError } from '../../api/field-error.ts';

/** At most this many errors of one schema are reported. */
export const MAX_SCHEMA_ERRORS = 256;

/** Collects what is wrong with a schema. */
export class Report {
  readonly errors: FieldError[] = [];
  /** Errors that were found, whether kept or not. */
  count = 0;
  /** Patterns of the schema that have been compiled, and the work that it took. */
  readonly patterns = new Set<string>();
  patternWork = 0;

  add(...errors: readonly FieldError[]): void {
    this.count += errors.length;
    for (const error of errors) {
      if (this.errors.length < MAX_SCHEMA_ERRORS) this.errors.push(error);
    }
  }
}
