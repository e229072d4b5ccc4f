import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getPath, isObject, type JsonObject } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { qualifiedNameErrors } from '../../api/names.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, countColumn, nameColumn, textAt, textColumn } from '../columns.ts';
import { validateConditions, validateFullCondition } from '../conditions.ts';
import type { Column, ResourceDefinition } from '../definition.ts';
import type { AdmissionScope, ExpressionChecker } from '../expressions.ts';
import { countGeneration, startGeneration } from '../generation.ts';
import { keepField, resetMetadataForStatus } from '../metadata-rules.ts';
import { oneOf } from './fixed-words.ts';
import { defaultMatchResources } from './match-resources.ts';
import { validateExpression, validatePolicy } from './policy-rules.ts';
import {
  validatingAdmissionPolicySchema,
  type AuditAnnotationValue,
  type ValidatingPolicy,
  type ValidationValue,
} from './policy-schema.ts';
import { ADMISSIONREGISTRATION_GROUP } from './webhook-configurations.ts';

const MAX_AUDIT_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION_BYTES = 5 * 1024;
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

/** Fills in what a policy of either kind leaves out; in place. */
export function defaultPolicy(object: JsonObject): void {
  const { spec } = object;
  if (!isObject(spec)) return;
  spec['failurePolicy'] ??= 'Fail';
  defaultMatchResources(spec['matchConstraints']);
}

/** Source: behaviours 8.13; admissionregistration validation of kube. */
function validate(
  object: ValidatingPolicy,
  old: ValidatingPolicy | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const { metadata, spec } = object;
  const { validations = [], auditAnnotations = [], variables = [] } = spec;
  const params = spec.paramKind !== undefined;
  const scope = checker.admissionScope({ params, variables: variables.length > 0 });
  const errors = validatePolicy(spec, old?.spec, checker, scope);
  if (validations.length + auditAnnotations.length === 0) {
    const why = 'validations or auditAnnotations must contain at least one item';
    errors.push(
      fieldError.required(SPEC.child('validations'), why),
      fieldError.required(SPEC.child('auditAnnotations'), why),
    );
  }
  return [
    ...errors,
    ...errorsOfEach(validations, (validation, i) =>
      validateValidation(SPEC.child('validations').index(i), validation, scope),
    ),
    ...validateAuditAnnotations(metadata.name ?? '', auditAnnotations, scope),
  ];
}

function validateValidation(
  path: FieldPath,
  { expression, message = '', reason, messageExpression = '' }: ValidationValue,
  scope: AdmissionScope,
): FieldError[] {
  const errors = validateExpression(path.child('expression'), 'validation', expression, scope);
  const at = path.child('messageExpression');
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(fieldError.invalid(at, messageExpression, 'must be non-empty if specified'));
  } else if (messageExpression !== '') {
    errors.push(...validateExpression(at, 'messageExpression', messageExpression, scope));
  }
  if (message !== '' && message.trim() === '') {
    const why = 'message must be non-empty if specified';
    errors.push(fieldError.invalid(path.child('message'), message, why));
  } else if (/[\r\n]/.test(message.trim())) {
    const why = 'message must not contain line breaks';
    errors.push(fieldError.invalid(path.child('message'), message, why));
  }
  return [...errors, ...oneOf(path.child('reason'), reason, REASONS)];
}

function validateAuditAnnotations(
  policy: string,
  annotations: readonly AuditAnnotationValue[],
  scope: AdmissionScope,
): FieldError[] {
  const path = SPEC.child('auditAnnotations');
  if (annotations.length > MAX_AUDIT_ANNOTATIONS) {
    const why = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
    return [fieldError.invalid(path, annotations.length, why)];
  }
  const keys = new Set<string>();
  return errorsOfEach(annotations, ({ key, valueExpression }, i) => {
    const at = path.index(i);
    const errors = invalidEach(at.child('key'), key, qualifiedNameErrors(`${policy}/${key}`));
    if (keys.has(key)) errors.push(fieldError.duplicate(at.child('key'), key));
    keys.add(key);
    const text = valueExpression.trim();
    if (Buffer.byteLength(text) > MAX_VALUE_EXPRESSION_BYTES) {
      const why = `must not exceed ${MAX_VALUE_EXPRESSION_BYTES} bytes in length`;
      return [...errors, fieldError.required(at.child('valueExpression'), why)];
    }
    const missing = 'valueExpression is not specified';
    const where = at.child('valueExpression');
    return [...errors, ...validateExpression(where, 'auditAnnotation', text, scope, missing)];
  });
}

function validateStatus(object: ValidatingPolicy, before: ValidatingPolicy): FieldError[] {
  const { conditions, typeChecking } = object.status;
  const old = before.status.conditions;
  const path = STATUS.child('typeChecking').child('expressionWarnings');
  return [
    ...errorsOfEach(typeChecking?.expressionWarnings ?? [], ({ fieldRef, warning }, i) => [
      ...(fieldRef === '' ? [fieldError.required(path.index(i).child('fieldRef'))] : []),
      ...(warning === '' ? [fieldError.required(path.index(i).child('warning'))] : []),
    ]),
    ...validateConditions(STATUS.child('conditions'), conditions, old, validateFullCondition),
  ];
}

/** `v1/ConfigMap`, or that there is none. */
export const paramKindColumn: Column = textColumn(
  'ParamKind',
  'The kind of the parameters of the policy.',
  (object) =>
    getPath(object, 'spec', 'paramKind') === undefined
      ? '<unset>'
      : `${textAt(object, 'spec', 'paramKind', 'apiVersion')}/${textAt(object, 'spec', 'paramKind', 'kind')}`,
);

/**
 * `checker` compiles expressions when a policy is written, and reports those that do
 * not compile.
 */
export function validatingAdmissionPolicyDefinition(
  checker: ExpressionChecker,
): ResourceDefinition {
  return builtinDefinition({
    group: ADMISSIONREGISTRATION_GROUP,
    version: 'v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    categories: ['api-extensions'],
    namespaced: false,
    schema: validatingAdmissionPolicySchema,
    defaults: defaultPolicy,
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: false,
      unconditionalUpdate: false,
      prepareForCreate(object) {
        object['status'] = {};
        startGeneration(object);
      },
      validate: (object) => validate(object, undefined, checker),
      prepareForUpdate(object, old) {
        keepField(object, old, 'status');
        countGeneration(object, old, 'spec');
      },
      validateUpdate: (object, old) => validate(object, old, checker),
      resetFields: [['status']],
    },
    subresources: {
      status: {
        prepareForUpdate(object, old) {
          keepField(object, old, 'spec');
          resetMetadataForStatus(object, old);
        },
        validateUpdate: validateStatus,
        resetFields: [['spec'], ['metadata']],
      },
    },
    columns: [
      nameColumn,
      countColumn('Validations', 'How many validations there are.', 'spec', 'validations'),
      paramKindColumn,
      ageColumn,
    ],
  });
}
