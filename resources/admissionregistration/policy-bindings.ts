import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { dns1123SubdomainErrors, pathSegmentNameErrors } from '../../api/names.ts';
import { validateLabelSelector } from '../../api/selectors/label-spec.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, pathColumn, textAt, textColumn } from '../columns.ts';
import type { Column, ResourceDefinition, Strategy } from '../definition.ts';
import { countGeneration, startGeneration } from '../generation.ts';
import { oneOf } from './fixed-words.ts';
import { defaultMatchResources, validateMatchResources } from './match-resources.ts';
import { refuseDelete } from './mutating-policy.ts';
import {
  mutatingAdmissionPolicyBindingSchema,
  validatingAdmissionPolicyBindingSchema,
  type ParamRefValue,
  type PolicyBinding,
} from './policy-binding-schema.ts';
import { ADMISSIONREGISTRATION_GROUP } from './webhook-configurations.ts';

const SPEC = FieldPath.of('spec');
const ACTIONS = ['Audit', 'Deny', 'Warn'];

function defaults(object: JsonObject): void {
  defaultMatchResources(getPath(object, 'spec', 'matchResources'));
}

/** Source: behaviours 8.13; admissionregistration validation of kube. */
function validate(object: PolicyBinding): FieldError[] {
  const { policyName = '', paramRef, matchResources } = object.spec;
  const path = SPEC.child('policyName');
  return [
    ...(policyName === ''
      ? [fieldError.required(path)]
      : invalidEach(path, policyName, dns1123SubdomainErrors(policyName))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef)),
    ...(matchResources === undefined
      ? []
      : validateMatchResources(SPEC.child('matchResources'), matchResources)),
  ];
}

function validateParamRef(ref: ParamRefValue): FieldError[] {
  const { name = '', selector, parameterNotFoundAction = '' } = ref;
  const path = SPEC.child('paramRef');
  const errors = invalidEach(path.child('name'), name, pathSegmentNameErrors(name));
  if (name !== '' && selector !== undefined) {
    const why = 'name and selector are mutually exclusive';
    errors.push(fieldError.forbidden(path.child('name'), why));
    errors.push(fieldError.forbidden(path.child('selector'), why));
  }
  errors.push(...validateLabelSelector(selector, path.child('selector')));
  if (name === '' && selector === undefined) {
    errors.push(fieldError.required(path, 'one of name or selector must be specified'));
  }
  const at = path.child('parameterNotFoundAction');
  if (parameterNotFoundAction === '') return [...errors, fieldError.required(at)];
  return [...errors, ...oneOf(at, parameterNotFoundAction, ['Deny', 'Allow'])];
}

function validateActions(object: PolicyBinding): FieldError[] {
  const { validationActions: actions = [] } = object.spec;
  const path = SPEC.child('validationActions');
  if (actions.length === 0) {
    return [fieldError.required(path, 'at least one validation action is required')];
  }
  const seen = new Set<string>();
  const errors = errorsOfEach(actions, (action, i) => {
    const found = oneOf(path.index(i), action, ACTIONS);
    if (seen.has(action)) found.push(fieldError.duplicate(path.index(i), action));
    seen.add(action);
    return found;
  });
  if (seen.has('Deny') && seen.has('Warn')) {
    const why =
      'must not contain both Deny and Warn (the response would report the same failure twice)';
    errors.push(fieldError.invalid(path, [...actions], why));
  }
  return errors;
}

function strategy(
  validateBinding: (object: PolicyBinding) => FieldError[],
): Strategy<PolicyBinding> {
  return {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: false,
    prepareForCreate: startGeneration,
    validate: validateBinding,
    prepareForUpdate: (object, old) => countGeneration(object, old, 'spec'),
    validateUpdate: validateBinding,
  };
}

function paramText(object: JsonObject): string {
  if (getPath(object, 'spec', 'paramRef') === undefined) return '<unset>';
  const namespace = textAt(object, 'spec', 'paramRef', 'namespace');
  const name = textAt(object, 'spec', 'paramRef', 'name');
  return namespace === '' ? name : `${namespace}/${name}`;
}

const columns: readonly Column[] = [
  nameColumn,
  pathColumn('PolicyName', 'The policy that is put into force.', 'spec', 'policyName'),
  textColumn('ParamRef', 'The object that holds the parameters.', paramText),
  ageColumn,
];

export const validatingAdmissionPolicyBindingDefinition: ResourceDefinition = builtinDefinition({
  group: ADMISSIONREGISTRATION_GROUP,
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  schema: validatingAdmissionPolicyBindingSchema,
  defaults,
  strategy: strategy((object) => [...validate(object), ...validateActions(object)]),
  columns,
});

export const mutatingAdmissionPolicyBindingDefinition: ResourceDefinition = builtinDefinition({
  group: ADMISSIONREGISTRATION_GROUP,
  version: 'v1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  schema: mutatingAdmissionPolicyBindingSchema,
  defaults,
  strategy: strategy((object) => [
    ...validate(object),
    ...refuseDelete('matchResources', object.spec.matchResources?.resourceRules),
  ]),
  columns,
});
