import assert from 'node:assert/strict';
import { getPath, type JsonObject } from '../../api/json.ts';
import {
  created,
  problems,
  rowOf,
  testChecker,
  testKept,
  testRefused,
  updated,
} from '../testing/harness.ts';
import { validatingAdmissionPolicyDefinition } from './validating-policy.ts';

const validating = validatingAdmissionPolicyDefinition(testChecker);

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

function policy(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: API,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'policy', ...metadata },
    spec: { matchConstraints: MATCH, validations: [{ expression: 'true' }], ...spec },
  };
}
const validation = (fields: JsonObject): JsonObject =>
  policy({ validations: [{ expression: 'true', ...fields }] });
const annotations = (...auditAnnotations: JsonObject[]): JsonObject => policy({ auditAnnotations });

describe('ValidatingAdmissionPolicy', () => {
  testKept(validating, {
    'a policy, completed': [
      policy({}),
      {
        ...policy({ matchConstraints: DEFAULTED_MATCH, failurePolicy: 'Fail' }, { generation: 1 }),
        status: {},
      },
    ],
    'variables, parameters, messages and annotations': [
      policy({
        paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' },
        variables: [
          { name: 'a', expression: 'params' },
          { name: 'b', expression: 'variables.a' },
        ],
        matchConditions: [{ name: 'a', expression: 'params' }],
        validations: [
          {
            expression: 'variables.b',
            message: 'no',
            messageExpression: 'messageExpression-only',
            reason: 'Forbidden',
          },
        ],
        auditAnnotations: [{ key: 'a', valueExpression: 'auditAnnotation-only' }],
      }),
      {
        ...policy(
          {
            matchConstraints: DEFAULTED_MATCH,
            failurePolicy: 'Fail',
            paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' },
            variables: [
              { name: 'a', expression: 'params' },
              { name: 'b', expression: 'variables.a' },
            ],
            matchConditions: [{ name: 'a', expression: 'params' }],
            validations: [
              {
                expression: 'variables.b',
                message: 'no',
                messageExpression: 'messageExpression-only',
                reason: 'Forbidden',
              },
            ],
            auditAnnotations: [{ key: 'a', valueExpression: 'auditAnnotation-only' }],
          },
          { generation: 1 },
        ),
        status: {},
      },
    ],
  });

  it('takes value expressions of 5 KiB, and 20 of them', () => {
    const many = Array.from({ length: 20 }, (_, i) => ({
      key: `k${i}`,
      valueExpression: 'x'.repeat(5120),
    }));
    assert.deepEqual(created(validating, annotations(...many)).errors, []);
  });

  it('takes each reason, and completes rules that exclude requests', () => {
    for (const reason of ['Forbidden', 'Invalid', 'RequestEntityTooLarge']) {
      assert.deepEqual(created(validating, validation({ reason })).errors, [], reason);
    }
    const { object } = created(
      validating,
      policy({ matchConstraints: { ...MATCH, excludeResourceRules: [RULE] } }),
    );
    assert.deepEqual(getPath(object, 'spec', 'matchConstraints', 'excludeResourceRules'), [
      { ...RULE, scope: '*' },
    ]);
  });

  testRefused(validating, {
    'the reason Unauthorized': [
      validation({ reason: 'Unauthorized' }),
      ['FieldValueNotSupported spec.validations[0].reason'],
    ],
    'no matchConstraints': [
      policy({ matchConstraints: null }),
      ['FieldValueRequired spec.matchConstraints'],
    ],
    'matchConstraints without rules': [
      policy({ matchConstraints: {} }),
      ['FieldValueRequired spec.matchConstraints.resourceRules'],
    ],
    'a resource name twice, and one that cannot stand in a path': [
      policy({
        matchConstraints: { resourceRules: [{ ...RULE, resourceNames: ['a', 'a', 'b/c'] }] },
      }),
      [
        'FieldValueDuplicate spec.matchConstraints.resourceRules[0].resourceNames[1]',
        'FieldValueInvalid spec.matchConstraints.resourceRules[0].resourceNames[2]',
      ],
    ],
    'an excluded rule that is none': [
      policy({
        matchConstraints: { ...MATCH, excludeResourceRules: [{ ...RULE, operations: [] }] },
      }),
      ['FieldValueRequired spec.matchConstraints.excludeResourceRules[0].operations'],
    ],
    'neither validations nor annotations': [
      policy({ validations: [] }),
      ['FieldValueRequired spec.validations', 'FieldValueRequired spec.auditAnnotations'],
    ],
    'an unknown failurePolicy': [
      policy({ failurePolicy: 'Retry' }),
      ['FieldValueNotSupported spec.failurePolicy'],
    ],
    'a paramKind without anything': [
      policy({ paramKind: {} }),
      ['FieldValueRequired spec.paramKind.apiVersion', 'FieldValueRequired spec.paramKind.kind'],
    ],
    'a paramKind that is none': [
      policy({ paramKind: { apiVersion: 'a/b/c', kind: 'not a kind' } }),
      ['FieldValueInvalid spec.paramKind.apiVersion', 'FieldValueInvalid spec.paramKind.kind'],
    ],
    'names of variables that are not identifiers': [
      policy({
        variables: ['1a', 'in', ''].map((name) => ({ name, expression: '1' })),
      }),
      [
        'FieldValueInvalid spec.variables[0].name',
        'FieldValueInvalid spec.variables[1].name',
        'FieldValueRequired spec.variables[2].name',
      ],
    ],
    'a variable without an expression': [
      policy({ variables: [{ name: 'a' }] }),
      ['FieldValueRequired spec.variables[0].expression'],
    ],
    'a variable before it is defined': [
      policy({
        variables: [
          { name: 'a', expression: 'variables.b' },
          { name: 'b', expression: '1' },
        ],
      }),
      ['FieldValueInvalid spec.variables[0].expression'],
    ],
    'parameters without a paramKind': [
      validation({ expression: 'params' }),
      ['FieldValueInvalid spec.validations[0].expression'],
    ],
    'variables in a match condition': [
      policy({
        variables: [{ name: 'a', expression: '1' }],
        matchConditions: [{ name: 'a', expression: 'variables.a' }],
      }),
      ['FieldValueInvalid spec.matchConditions[0].expression'],
    ],
    'an empty expression': [
      validation({ expression: ' ' }),
      ['FieldValueRequired spec.validations[0].expression'],
    ],
    'an expression that does not fit its use': [
      validation({ expression: 'messageExpression-only' }),
      ['FieldValueInvalid spec.validations[0].expression'],
    ],
    'blank messages': [
      validation({ message: ' ', messageExpression: ' ' }),
      [
        'FieldValueInvalid spec.validations[0].messageExpression',
        'FieldValueInvalid spec.validations[0].message',
      ],
    ],
    'a message with line breaks': [
      validation({ message: 'a\nb' }),
      ['FieldValueInvalid spec.validations[0].message'],
    ],
    'an unknown reason': [
      validation({ reason: 'Because' }),
      ['FieldValueNotSupported spec.validations[0].reason'],
    ],
    'a key of an annotation that is none, and one twice': [
      annotations(
        { key: 'not a key', valueExpression: 'x' },
        { key: 'a', valueExpression: 'x' },
        { key: 'a', valueExpression: 'x' },
      ),
      [
        'FieldValueInvalid spec.auditAnnotations[0].key',
        'FieldValueDuplicate spec.auditAnnotations[2].key',
      ],
    ],
    'an annotation without value, and a very long one': [
      annotations({ key: 'a' }, { key: 'b', valueExpression: 'x'.repeat(5121) }),
      [
        'FieldValueRequired spec.auditAnnotations[0].valueExpression',
        'FieldValueRequired spec.auditAnnotations[1].valueExpression',
      ],
    ],
    'twenty-one annotations': [
      annotations(
        ...Array.from({ length: 21 }, (_, i) => ({ key: `k${i}`, valueExpression: 'x' })),
      ),
      ['FieldValueInvalid spec.auditAnnotations'],
    ],
  });

  it('counts the generation on when spec changes, and takes no status', () => {
    const old = created(validating, policy({})).object;
    const changed = { ...policy({ failurePolicy: 'Ignore' }), status: { observedGeneration: 7 } };
    const { object } = updated(validating, old, changed);
    assert.equal(object.metadata.generation, 2);
    assert.deepEqual(object['status'], {});
    assert.equal(updated(validating, old, policy({})).object.metadata.generation, 1);
  });

  it('takes only the status through /status', () => {
    const old = created(validating, policy({})).object;
    const warning = { fieldRef: 'spec.validations[0].expression', warning: 'odd' };
    const put = (status: JsonObject) =>
      updated(
        validating,
        old,
        { ...policy({ failurePolicy: 'Ignore' }, { labels: { a: 'b' } }), status },
        'status',
      );
    const outcome = put({ observedGeneration: 1, typeChecking: { expressionWarnings: [warning] } });
    assert.deepEqual(problems(outcome), []);
    assert.deepEqual(outcome.object['spec'], old['spec']);
    assert.equal(outcome.object.metadata.labels, undefined);
    assert.deepEqual(problems(put({ typeChecking: { expressionWarnings: [{}] } })), [
      'FieldValueRequired status.typeChecking.expressionWarnings[0].fieldRef',
      'FieldValueRequired status.typeChecking.expressionWarnings[0].warning',
    ]);
  });

  it('shows its validations and parameters in tables', () => {
    const row = rowOf(validating, created(validating, policy({})).object);
    assert.deepEqual([row['Validations'], row['ParamKind']], [1, '<unset>']);
    const paramKind = { apiVersion: 'v1', kind: 'Limit' };
    const other = rowOf(validating, created(validating, policy({ paramKind })).object);
    assert.equal(other['ParamKind'], 'v1/Limit');
  });
});
