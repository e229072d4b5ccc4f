import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, countColumn, nameColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import type { AdmissionScope, ExpressionChecker } from '../expressions.ts';
import { countGeneration, startGeneration } from '../generation.ts';
import { oneOf, REINVOCATION_POLICIES } from './fixed-words.ts';
import type { NamedRuleValue } from './match-resources.ts';
import { validateExpression, validatePolicy } from './policy-rules.ts';
import {
  mutatingAdmissionPolicySchema,
  type MutatingPolicy,
  type MutationValue,
} from './policy-schema.ts';
import { defaultPolicy, paramKindColumn } from './validating-policy.ts';
import { ADMISSIONREGISTRATION_GROUP } from './webhook-configurations.ts';

const SPEC = FieldPath.of('spec');
const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch'];

/** Source: behaviours 8.13. */
function validate(
  object: MutatingPolicy,
  old: MutatingPolicy | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const { spec } = object;
  const { mutations = [], variables = [], reinvocationPolicy = '' } = spec;
  const params = spec.paramKind !== undefined;
  const scope = checker.admissionScope({ params, variables: variables.length > 0 });
  const errors = validatePolicy(spec, old?.spec, checker, scope);
  errors.push(...refuseDelete('matchConstraints', spec.matchConstraints?.resourceRules));
  if (mutations.length === 0) {
    const why = 'mutations must contain at least one item';
    errors.push(fieldError.required(SPEC.child('mutations'), why));
  }
  errors.push(
    ...errorsOfEach(mutations, (mutation, i) =>
      validateMutation(SPEC.child('mutations').index(i), mutation, scope),
    ),
  );
  const at = SPEC.child('reinvocationPolicy');
  if (reinvocationPolicy === '') return [...errors, fieldError.required(at)];
  return [...errors, ...oneOf(at, reinvocationPolicy, REINVOCATION_POLICIES)];
}

/** There is nothing to change in what is deleted. `*` stands for the other operations. */
const CHANGING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** The place is that of all operations, whichever rule names the wrong one: clients know it so. */
export function refuseDelete(field: string, rules: readonly NamedRuleValue[] = []): FieldError[] {
  const path = SPEC.child(field).child('resourceRules').child('operations');
  return rules.flatMap(({ operations = [] }) =>
    operations
      .filter((operation) => !CHANGING_OPERATIONS.includes(operation))
      .map((operation) => fieldError.notSupported(path, operation, CHANGING_OPERATIONS)),
  );
}

function validateMutation(
  path: FieldPath,
  { patchType, applyConfiguration, jsonPatch }: MutationValue,
  scope: AdmissionScope,
): FieldError[] {
  if (patchType === '') return [fieldError.required(path.child('patchType'))];
  const isApply = patchType === 'ApplyConfiguration';
  if (!isApply && patchType !== 'JSONPatch')
    return oneOf(path.child('patchType'), patchType, PATCH_TYPES);
  const [wanted, unwanted] = isApply
    ? [applyConfiguration, jsonPatch]
    : [jsonPatch, applyConfiguration];
  const [field, other] = isApply
    ? ['applyConfiguration', 'jsonPatch']
    : ['jsonPatch', 'applyConfiguration'];
  const errors: FieldError[] = [];
  if (unwanted !== undefined) {
    const why = `must not be specified when patchType is ${patchType}`;
    errors.push(fieldError.invalid(path.child(other), { ...unwanted }, why));
  }
  if (wanted === undefined) {
    const why = `must be specified when patchType is ${patchType}`;
    return [...errors, fieldError.required(path.child(field), why)];
  }
  const at = path.child(field).child('expression');
  const use = isApply ? 'applyConfiguration' : 'jsonPatch';
  return [...errors, ...validateExpression(at, use, wanted.expression ?? '', scope)];
}

/**
 * `checker` compiles expressions when a policy is written, and reports those that do
 * not compile.
 */
export function mutatingAdmissionPolicyDefinition(checker: ExpressionChecker): ResourceDefinition {
  return builtinDefinition({
    group: ADMISSIONREGISTRATION_GROUP,
    version: 'v1',
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    categories: ['api-extensions'],
    namespaced: false,
    schema: mutatingAdmissionPolicySchema,
    defaults: defaultPolicy,
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: false,
      unconditionalUpdate: false,
      prepareForCreate: startGeneration,
      validate: (object) => validate(object, undefined, checker),
      prepareForUpdate: (object, old) => countGeneration(object, old, 'spec'),
      validateUpdate: (object, old) => validate(object, old, checker),
    },
    columns: [
      nameColumn,
      countColumn('Mutations', 'How many mutations there are.', 'spec', 'mutations'),
      paramKindColumn,
      ageColumn,
    ],
  });
}
