import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { qualifiedNameErrors } from '../../api/names.ts';
import { list, string, struct } from '../../schema/dsl.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { expressionError, type AdmissionScope } from '../expressions.ts';

const MAX_MATCH_CONDITIONS = 64;

const MatchCondition = struct(
  'io.cluster.admissionregistration.v1.MatchCondition',
  {
    name: string({
      required: true,
      description:
        'Names the condition in messages: a qualified name, unique in the list, such as `my-condition` or `example.com/exclude-leases`.',
    }),
    expression: string({
      required: true,
      description:
        'A CEL expression with a boolean result. Bound are `object` (null on DELETE), `oldObject` (null on CREATE), `request`, `authorizer` and `authorizer.requestResource`.',
    }),
  },
  { description: 'A condition that a request must meet.', numbers: { name: 1, expression: 2 } },
);

export type MatchConditionValue = ValueOf<typeof MatchCondition>;

export const matchConditions = list(MatchCondition, {
  listType: 'map',
  listMapKeys: ['name'],
  patchStrategy: 'merge',
  patchMergeKey: 'name',
  description:
    'Conditions that must hold in addition to rules and selectors, at most 64. When one is false, the request is skipped; when one fails and none is false, failurePolicy decides.',
});

/** Source: specification 3, section 2.3, MatchCondition; behaviours 8.8. */
export function validateMatchConditions(
  path: FieldPath,
  conditions: readonly MatchConditionValue[],
  scope: AdmissionScope,
): FieldError[] {
  if (conditions.length > MAX_MATCH_CONDITIONS) {
    return [fieldError.tooMany(path, conditions.length, MAX_MATCH_CONDITIONS)];
  }
  const names = new Set<string>();
  return errorsOfEach(conditions, ({ name, expression }, i) => {
    const at = path.index(i);
    const errors = validateExpression(at.child('expression'), expression, scope);
    if (name === '') return [...errors, fieldError.required(at.child('name'))];
    errors.push(...invalidEach(at.child('name'), name, qualifiedNameErrors(name)));
    if (names.has(name)) errors.push(fieldError.duplicate(at.child('name'), name));
    names.add(name);
    return errors;
  });
}

function validateExpression(
  path: FieldPath,
  expression: string,
  scope: AdmissionScope,
): FieldError[] {
  const text = expression.trim();
  if (text === '') return [fieldError.required(path)];
  const problem = scope.check('matchCondition', text);
  return problem === undefined ? [] : [expressionError(path, text, problem)];
}
