import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { JsonValue } from '../../api/json.ts';
import type { SchemaStep } from '../field-path-syntax.ts';

/** Objects and lists are not shown in the errors of rules. */
export const NO_RULE_VALUE = undefined;

/**
 * The error of a rule that is false, by the reason that the rule gives; the
 * field is `fieldPath` from the place of the rule on.
 */
export function ruleError(
  reason: string | undefined,
  path: string,
  fieldPath: readonly SchemaStep[],
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  const at = pathOf(path, fieldPath);
  switch (reason) {
    case 'FieldValueForbidden':
      return fieldError.forbidden(at, detail);
    case 'FieldValueRequired':
      return fieldError.required(at, detail);
    case 'FieldValueDuplicate':
      return { ...fieldError.duplicate(at, value), detail };
    default:
      return fieldError.invalid(at, value, detail);
  }
}

function pathOf(path: string, steps: readonly SchemaStep[]): string {
  let text = path;
  for (const { name, isKey } of steps) {
    if (isKey) text += `[${name}]`;
    else text = text === '' ? name : `${text}.${name}`;
  }
  return text;
}
