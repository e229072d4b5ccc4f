import { fieldError, type FieldError } from './field-error.ts';
import type { FieldPath } from './field-path.ts';
import type { JsonValue } from './json.ts';

/** Errors of one list or map that are reported; the rest would only repeat the point. */
export const MAX_ERRORS_PER_FIELD = 20;

/** One `Invalid value` for each thing that a rule of names.ts says is wrong. */
export function invalidEach(
  path: FieldPath,
  value: JsonValue,
  details: readonly string[],
): FieldError[] {
  return details.map((detail) => fieldError.invalid(path, value, detail));
}

/**
 * Errors of the items in order, until there are {@link MAX_ERRORS_PER_FIELD}:
 * the answer to a hostile list is as short as the answer to an ordinary one.
 */
export function errorsOfEach<T>(
  items: readonly T[],
  validate: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (let i = 0; i < items.length && errors.length < MAX_ERRORS_PER_FIELD; i++) {
    const found = validate(items[i] as T, i);
    if (found.length > 0) errors.push(...found);
  }
  return errors;
}
