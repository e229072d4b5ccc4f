import { fieldError, type FieldError } from '../field-error.ts';
import { errorsOfEach, invalidEach } from '../field-error-list.ts';
import type { FieldPath } from '../field-path.ts';
import { isObject, type JsonValue } from '../json.ts';
import { labelValueErrors, qualifiedNameErrors } from '../names.ts';
import { LabelSelector, type ParsedSelector } from './labels.ts';
import { MAX_SELECTOR_TERMS } from './limits.ts';
import type { LabelOperator, LabelRequirement } from './requirement.ts';

/** A LabelSelector as objects carry it. The types of its fields have been checked. */
export type LabelSelectorSpec = {
  matchLabels?: Record<string, string> | null;
  matchExpressions?: LabelExpression[] | null;
};

export type LabelExpression = {
  key: string;
  operator: string;
  values?: string[] | null;
};

/** Whether a value has the types of a LabelSelector; what its fields say may still be wrong. */
export function isLabelSelectorSpec(value: JsonValue | undefined): value is LabelSelectorSpec {
  if (!isObject(value)) return false;
  const { matchLabels, matchExpressions } = value;
  return isNullOr(matchLabels, isTextMap) && isNullOr(matchExpressions, isListOfExpressions);
}

const OPERATORS = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * The selector of a LabelSelector. An absent one matches nothing, an empty one
 * everything. The error is for objects that never passed {@link validateLabelSelector}.
 * Source: LabelSelectorAsSelector of apimachinery.
 */
export function labelSelectorOf(
  spec: LabelSelectorSpec | null | undefined,
): ParsedSelector<LabelSelector> {
  if (spec === null || spec === undefined) return { selector: LabelSelector.nothing };
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(spec.matchLabels ?? {})) {
    requirements.push({ key, operator: '=', values: [value] });
  }
  for (const { key, operator, values } of spec.matchExpressions ?? []) {
    const known = OPERATORS.get(operator);
    if (known === undefined) {
      return { error: `${JSON.stringify(operator)} is not a valid label selector operator` };
    }
    const takesValues = known === 'in' || known === 'notin';
    if (takesValues !== (values ?? []).length > 0) {
      return { error: `operator ${JSON.stringify(operator)} has the wrong number of values` };
    }
    requirements.push({ key, operator: known, values: values ?? [] });
  }
  return { selector: LabelSelector.of(requirements) };
}

/** What is wrong with a LabelSelector. Source: ValidateLabelSelector of apimachinery. */
export function validateLabelSelector(
  spec: LabelSelectorSpec | null | undefined,
  path: FieldPath,
  options: { allowInvalidValues?: boolean } = {},
): FieldError[] {
  const terms = Object.keys(spec?.matchLabels ?? {}).length + (spec?.matchExpressions ?? []).length;
  if (terms > MAX_SELECTOR_TERMS) return [fieldError.tooMany(path, terms, MAX_SELECTOR_TERMS)];
  const errors = validateLabels(spec?.matchLabels ?? {}, path.child('matchLabels'));
  const expressions = errorsOfEach(spec?.matchExpressions ?? [], (expression, i) => {
    const at = path.child('matchExpressions').index(i);
    const values = options.allowInvalidValues === true ? [] : (expression.values ?? []);
    return [
      ...validateOperator(expression, at),
      ...invalidEach(at.child('key'), expression.key, qualifiedNameErrors(expression.key)),
      ...errorsOfEach(values, (value, j) =>
        invalidEach(at.child('values').index(j), value, labelValueErrors(value)),
      ),
    ];
  });
  return [...errors, ...expressions];
}

const NO_ERRORS: readonly FieldError[] = [];

/** What is wrong with a set of labels; both keys and values are reported at the set itself. */
export function validateLabels(
  labels: Readonly<Record<string, string>>,
  path: FieldPath,
): FieldError[] {
  return errorsOfEach(Object.keys(labels), (key) => {
    const value = labels[key] ?? '';
    const ofKey = qualifiedNameErrors(key);
    const ofValue = labelValueErrors(value);
    if (ofKey.length === 0 && ofValue.length === 0) return NO_ERRORS;
    return [...invalidEach(path, key, ofKey), ...invalidEach(path, value, ofValue)];
  });
}

function validateOperator({ operator, values }: LabelExpression, at: FieldPath): FieldError[] {
  const count = values?.length ?? 0;
  switch (OPERATORS.get(operator)) {
    case undefined:
      return [fieldError.invalid(at.child('operator'), operator, 'not a valid selector operator')];
    case 'in':
    case 'notin':
      if (count > 0) return [];
      return [
        fieldError.required(
          at.child('values'),
          "must be specified when `operator` is 'In' or 'NotIn'",
        ),
      ];
    default:
      if (count === 0) return [];
      return [
        fieldError.forbidden(
          at.child('values'),
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ];
  }
}

function isNullOr(value: JsonValue | undefined, is: (value: JsonValue) => boolean): boolean {
  return value === undefined || value === null || is(value);
}

function isTextMap(value: JsonValue): boolean {
  return isObject(value) && Object.values(value).every(isText);
}

function isListOfExpressions(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(isExpression);
}

function isExpression(value: JsonValue): boolean {
  return (
    isObject(value) &&
    isText(value.key) &&
    isText(value.operator) &&
    isNullOr(value.values, isTextList)
  );
}

function isTextList(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string';
}
