import { fieldError, type FieldError } from '../api/field-error.ts';
import type { FieldPath } from '../api/field-path.ts';
import { deepEqual, type JsonValue } from '../api/json.ts';

/** The error of a field that may not change once it is set; absent values are shown as null. */
export function validateImmutable(
  path: FieldPath,
  value: JsonValue | undefined,
  old: JsonValue | undefined,
): FieldError[] {
  return deepEqual(value, old)
    ? []
    : [fieldError.invalid(path, value ?? null, 'field is immutable')];
}
