import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';

/** Fields of webhooks and policies that take one of a few words. */
export const FAILURE_POLICIES = ['Fail', 'Ignore'];
export const MATCH_POLICIES = ['Equivalent', 'Exact'];
export const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

/** One error when a word is given that is none of the supported ones. */
export function oneOf(
  path: FieldPath,
  value: string | undefined,
  supported: readonly string[],
): FieldError[] {
  return value === undefined || supported.includes(value)
    ? []
    : [fieldError.notSupported(path, value, supported)];
}
