import { isObject, type JsonValue } from '../../api/json.ts';

/** One entry of `x-cluster-validations`. Source: specification 3, section 2.1, ValidationRule. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  /** Undefined stands for FieldValueInvalid. */
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The rules of a schema node; entries that are not objects are left out. */
export function readRules(value: JsonValue | undefined): readonly ValidationRule[] {
  if (!Array.isArray(value)) return NO_RULES;
  return value.filter(isObject).map((entry) => ({
    rule: text(entry['rule']),
    message: text(entry['message']),
    messageExpression: text(entry['messageExpression']),
    reason: typeof entry['reason'] === 'string' ? entry['reason'] : undefined,
    fieldPath: text(entry['fieldPath']),
    optionalOldSelf:
      typeof entry['optionalOldSelf'] === 'boolean' ? entry['optionalOldSelf'] : undefined,
  }));
}

export const NO_RULES: readonly ValidationRule[] = [];
