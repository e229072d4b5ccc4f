import type { JsonObject } from '../../api/json.ts';
import { testChecker, testKept, testRefused } from '../testing/harness.ts';
import { mutatingAdmissionPolicyDefinition } from './mutating-policy.ts';

const mutating = mutatingAdmissionPolicyDefinition(testChecker);

const RULE = {
  apiGroups: ['example.com'],
  apiVersions: ['*'],
  operations: ['CREATE'],
  resources: ['gadgets'],
};
const MATCH = { resourceRules: [RULE] };
const DEFAULTED_MATCH = {
  resourceRules: [{ ...RULE, scope: '*' }],
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
};
const API = 'admissionregistration.cluster.io/v1';

const APPLY = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'x' } };
const PATCH = { patchType: 'JSONPatch', jsonPatch: { expression: 'jsonPatch-only' } };
const WITH_PARAMS = {
  paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' },
  mutations: [{ ...APPLY, applyConfiguration: { expression: 'params' } }],
};

function mutatingPolicy(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: API,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: 'policy', ...metadata },
    spec: {
      matchConstraints: MATCH,
      mutations: [APPLY, PATCH],
      reinvocationPolicy: 'Never',
      ...spec,
    },
  };
}

describe('MutatingAdmissionPolicy', () => {
  testKept(mutating, {
    'a policy, completed': [
      mutatingPolicy({}),
      mutatingPolicy(
        { matchConstraints: DEFAULTED_MATCH, failurePolicy: 'Fail' },
        { generation: 1 },
      ),
    ],
    'a policy with parameters': [
      mutatingPolicy(WITH_PARAMS),
      mutatingPolicy(
        { ...WITH_PARAMS, matchConstraints: DEFAULTED_MATCH, failurePolicy: 'Fail' },
        { generation: 1 },
      ),
    ],
  });

  testRefused(mutating, {
    'no mutations and no reinvocationPolicy': [
      mutatingPolicy({ mutations: [], reinvocationPolicy: '' }),
      ['FieldValueRequired spec.mutations', 'FieldValueRequired spec.reinvocationPolicy'],
    ],
    'an unknown reinvocationPolicy': [
      mutatingPolicy({ reinvocationPolicy: 'Always' }),
      ['FieldValueNotSupported spec.reinvocationPolicy'],
    ],
    'a rule about DELETE': [
      mutatingPolicy({
        matchConstraints: { resourceRules: [{ ...RULE, operations: ['CREATE', 'DELETE'] }] },
      }),
      ['FieldValueNotSupported spec.matchConstraints.resourceRules.operations'],
    ],
    'a rule about no operation that there is': [
      mutatingPolicy({
        matchConstraints: { resourceRules: [{ ...RULE, operations: ['PATCH'] }] },
      }),
      [
        'FieldValueNotSupported spec.matchConstraints.resourceRules[0].operations[0]',
        'FieldValueNotSupported spec.matchConstraints.resourceRules.operations',
      ],
    ],
    'mutations without type, of an unknown one, and without what the type asks for': [
      mutatingPolicy({ mutations: [{}, { patchType: 'Merge' }, { patchType: 'JSONPatch' }] }),
      [
        'FieldValueRequired spec.mutations[0].patchType',
        'FieldValueNotSupported spec.mutations[1].patchType',
        'FieldValueRequired spec.mutations[2].jsonPatch',
      ],
    ],
    'parameters where the policy has no kind of them': [
      mutatingPolicy({
        mutations: [{ ...APPLY, applyConfiguration: { expression: 'params' } }],
      }),
      ['FieldValueInvalid spec.mutations[0].applyConfiguration.expression'],
    ],
    'both patches at once': [
      mutatingPolicy({ mutations: [{ ...PATCH, ...APPLY }] }),
      ['FieldValueInvalid spec.mutations[0].jsonPatch'],
    ],
    'expressions that are missing, or do not fit': [
      mutatingPolicy({
        mutations: [
          { ...APPLY, applyConfiguration: {} },
          { ...APPLY, applyConfiguration: { expression: 'jsonPatch-only' } },
        ],
      }),
      [
        'FieldValueRequired spec.mutations[0].applyConfiguration.expression',
        'FieldValueInvalid spec.mutations[1].applyConfiguration.expression',
      ],
    ],
  });
});
