import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import {
  mutatingAdmissionPolicyBindingDefinition as mutating,
  validatingAdmissionPolicyBindingDefinition as validating,
} from './policy-bindings.ts';

function binding(spec: JsonObject, kind = 'Validating', metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'admissionregistration.cluster.io/v1',
    kind: `${kind}AdmissionPolicyBinding`,
    metadata: { name: 'binding', ...metadata },
    spec: {
      policyName: 'policy',
      ...(kind === 'Validating' ? { validationActions: ['Deny'] } : {}),
      ...spec,
    },
  };
}
const NEW = { generation: 1 };
const PARAMS = { name: 'limit', namespace: 'team', parameterNotFoundAction: 'Deny' };
const paramRef = (fields: JsonObject): JsonObject =>
  binding({ paramRef: { parameterNotFoundAction: 'Allow', ...fields } });
const actions = (...validationActions: string[]): JsonObject => binding({ validationActions });

describe('ValidatingAdmissionPolicyBinding', () => {
  testKept(validating, {
    'what is required': [binding({}), binding({}, 'Validating', NEW)],
    'parameters, and fewer requests, completed': [
      binding({ paramRef: PARAMS, matchResources: {}, validationActions: ['Warn', 'Audit'] }),
      binding(
        {
          paramRef: PARAMS,
          matchResources: { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
          validationActions: ['Warn', 'Audit'],
        },
        'Validating',
        NEW,
      ),
    ],
  });

  testRefused(validating, {
    'no policyName': [binding({ policyName: '' }), ['FieldValueRequired spec.policyName']],
    'a policyName that is none': [
      binding({ policyName: 'Bad_' }),
      ['FieldValueInvalid spec.policyName'],
    ],
    'no actions': [actions(), ['FieldValueRequired spec.validationActions']],
    'an unknown action, and one twice': [
      actions('Log', 'Deny', 'Deny'),
      [
        'FieldValueNotSupported spec.validationActions[0]',
        'FieldValueDuplicate spec.validationActions[2]',
      ],
    ],
    'Deny and Warn together': [
      actions('Deny', 'Warn'),
      ['FieldValueInvalid spec.validationActions'],
    ],
    'parameters with neither name nor selector': [
      paramRef({}),
      ['FieldValueRequired spec.paramRef'],
    ],
    'parameters with both': [
      paramRef({ name: 'a', selector: {} }),
      ['FieldValueForbidden spec.paramRef.name', 'FieldValueForbidden spec.paramRef.selector'],
    ],
    'selectors that are none': [
      binding({
        paramRef: { parameterNotFoundAction: 'Deny', selector: { matchLabels: { 'a b': '' } } },
        matchResources: {
          namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
          objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
        },
      }),
      [
        'FieldValueInvalid spec.paramRef.selector.matchLabels',
        'FieldValueInvalid spec.matchResources.namespaceSelector.matchExpressions[0].operator',
        'FieldValueRequired spec.matchResources.objectSelector.matchExpressions[0].values',
      ],
    ],
    'parameters whose name cannot stand in a path': [
      paramRef({ name: 'a/b' }),
      ['FieldValueInvalid spec.paramRef.name'],
    ],
    'no parameterNotFoundAction': [
      paramRef({ name: 'a', parameterNotFoundAction: null }),
      ['FieldValueRequired spec.paramRef.parameterNotFoundAction'],
    ],
    'an unknown parameterNotFoundAction': [
      paramRef({ name: 'a', parameterNotFoundAction: 'Ask' }),
      ['FieldValueNotSupported spec.paramRef.parameterNotFoundAction'],
    ],
    'matchResources that are none': [
      binding({ matchResources: { matchPolicy: 'Similar' } }),
      ['FieldValueNotSupported spec.matchResources.matchPolicy'],
    ],
  });

  it('counts the generation on when spec changes', () => {
    const old = created(validating, binding({})).object;
    assert.equal(updated(validating, old, actions('Audit')).object.metadata.generation, 2);
    assert.equal(updated(validating, old, binding({})).object.metadata.generation, 1);
  });

  it('shows policy and parameters in tables', () => {
    const row = rowOf(validating, created(validating, binding({ paramRef: PARAMS })).object);
    assert.deepEqual([row['PolicyName'], row['ParamRef']], ['policy', 'team/limit']);
    assert.equal(rowOf(validating, created(validating, binding({})).object)['ParamRef'], '<unset>');
  });
});

describe('MutatingAdmissionPolicyBinding', () => {
  testKept(mutating, {
    'what is required': [binding({}, 'Mutating'), binding({}, 'Mutating', NEW)],
  });

  testRefused(mutating, {
    'a rule about DELETE': [
      binding(
        {
          matchResources: {
            resourceRules: [
              { apiGroups: ['*'], apiVersions: ['*'], operations: ['DELETE'], resources: ['*'] },
            ],
          },
        },
        'Mutating',
      ),
      ['FieldValueNotSupported spec.matchResources.resourceRules.operations'],
    ],
  });
});
