import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, problems, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import { clusterRoleBindingDefinition, roleBindingDefinition } from './bindings.ts';
import { clusterRoleDefinition, RBAC_GROUP, roleDefinition } from './roles.ts';

function object(kind: string, fields: JsonObject, name = 'a'): JsonObject {
  return { apiVersion: `${RBAC_GROUP}/v1`, kind, metadata: { name }, ...fields };
}
const role = (rules: JsonObject[] | null, name?: string): JsonObject =>
  object('Role', { rules }, name);
const clusterRole = (fields: JsonObject): JsonObject =>
  object('ClusterRole', { rules: null, ...fields });
const RULE = { apiGroups: ['coordination.cluster.io'], resources: ['leases'], verbs: ['get'] };
const ROLE_REF = { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: 'reader' };
const USER = { kind: 'User', apiGroup: RBAC_GROUP, name: 'alice' };
const ROBOT = { kind: 'ServiceAccount', name: 'robot', namespace: 'team' };
const roleBinding = (fields: JsonObject = {}): JsonObject =>
  object('RoleBinding', { roleRef: ROLE_REF, ...fields });
const clusterRoleBinding = (fields: JsonObject = {}): JsonObject =>
  object('ClusterRoleBinding', { roleRef: ROLE_REF, ...fields });

describe('Role', () => {
  testKept(roleDefinition, {
    rules: [role([{ ...RULE, resourceNames: ['x'] }]), role([{ ...RULE, resourceNames: ['x'] }])],
    'no rules as null': [role([]), role(null)],
    'a name with colons, capitals and blanks': [role(null, 'Team: a'), role(null, 'Team: a')],
    'a name of any length': [role(null, 'a'.repeat(300)), role(null, 'a'.repeat(300))],
  });

  testRefused(roleDefinition, {
    'a rule without verbs': [role([{ ...RULE, verbs: [] }]), ['FieldValueRequired rules[0].verbs']],
    'a rule without groups and resources': [
      role([RULE, { verbs: ['get'] }]),
      ['FieldValueRequired rules[1].apiGroups', 'FieldValueRequired rules[1].resources'],
    ],
    'paths in a namespace': [
      role([{ verbs: ['get'], nonResourceURLs: ['/healthz'] }]),
      ['FieldValueInvalid rules[0].nonResourceURLs'],
    ],
    'a slash in its name': [role(null, 'a/b'), ['FieldValueInvalid metadata.name']],
    'a percent sign in its name': [role(null, 'a%b'), ['FieldValueInvalid metadata.name']],
    'two dots as its name': [role(null, '..'), ['FieldValueInvalid metadata.name']],
  });

  it('shows when it was created', () => {
    const made = created(roleDefinition, role(null)).object;
    made.metadata.creationTimestamp = '2024-01-02T03:04:05Z';
    assert.deepEqual(rowOf(roleDefinition, made), {
      Name: 'a',
      'Created At': '2024-01-02T03:04:05Z',
    });
  });
});

describe('ClusterRole', () => {
  const AGGREGATION = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  const PATHS = { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez/*'] };

  testKept(clusterRoleDefinition, {
    paths: [clusterRole({ rules: [PATHS] }), clusterRole({ rules: [PATHS] })],
    'an aggregation': [
      clusterRole({ aggregationRule: AGGREGATION }),
      clusterRole({ aggregationRule: AGGREGATION }),
    ],
  });

  testRefused(clusterRoleDefinition, {
    'a rule about paths and resources at once': [
      clusterRole({ rules: [{ ...RULE, ...PATHS }] }),
      ['FieldValueInvalid rules[0].nonResourceURLs'],
    ],
    'an aggregation without selectors': [
      clusterRole({ aggregationRule: {} }),
      ['FieldValueRequired aggregationRule.clusterRoleSelectors'],
    ],
    'a selector that is none': [
      clusterRole({
        aggregationRule: {
          clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Like' }] }],
        },
      }),
      [
        'FieldValueInvalid aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator',
        'FieldValueInvalid aggregationRule.clusterRoleSelectors[0]',
      ],
    ],
    'a selector with a label that is not valid': [
      clusterRole({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] } }),
      [
        'FieldValueInvalid aggregationRule.clusterRoleSelectors[0].matchLabels',
        'FieldValueInvalid aggregationRule.clusterRoleSelectors[0]',
      ],
    ],
  });
});

describe('RoleBinding', () => {
  testKept(roleBindingDefinition, {
    'every kind of subject': [
      roleBinding({ subjects: [USER, { ...USER, kind: 'Group' }, ROBOT] }),
      roleBinding({ subjects: [USER, { ...USER, kind: 'Group' }, ROBOT] }),
    ],
    'the groups that are left out': [
      object('RoleBinding', {
        roleRef: { kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'Group', name: 'g' }],
      }),
      object('RoleBinding', {
        roleRef: { ...ROLE_REF, kind: 'Role' },
        subjects: [{ kind: 'Group', apiGroup: RBAC_GROUP, name: 'g' }],
      }),
    ],
  });

  testRefused(roleBindingDefinition, {
    'a role of another group, kind and without name': [
      roleBinding({ roleRef: { apiGroup: 'example.com', kind: 'Rule' } }),
      [
        'FieldValueNotSupported roleRef.apiGroup',
        'FieldValueNotSupported roleRef.kind',
        'FieldValueRequired roleRef.name',
      ],
    ],
    'a role whose name cannot stand in a path': [
      roleBinding({ roleRef: { ...ROLE_REF, name: 'a/b' } }),
      ['FieldValueInvalid roleRef.name'],
    ],
    'a subject without name, of an unknown kind': [
      roleBinding({ subjects: [{ kind: 'Robot' }] }),
      ['FieldValueRequired subjects[0].name', 'FieldValueNotSupported subjects[0].kind'],
    ],
    'a group and a user without names': [
      roleBinding({
        subjects: [
          { kind: 'Group', apiGroup: RBAC_GROUP },
          { ...USER, name: '' },
        ],
      }),
      [0, 1].map((i) => `FieldValueRequired subjects[${i}].name`),
    ],
    'a user of another group': [
      roleBinding({ subjects: [{ ...USER, apiGroup: 'example.com' }] }),
      ['FieldValueNotSupported subjects[0].apiGroup'],
    ],
    'a service account with a group and a bad name': [
      roleBinding({ subjects: [{ ...ROBOT, apiGroup: RBAC_GROUP, name: 'Robot' }] }),
      ['FieldValueInvalid subjects[0].name', 'FieldValueNotSupported subjects[0].apiGroup'],
    ],
  });

  it('never changes its role', () => {
    const old = created(roleBindingDefinition, roleBinding()).object;
    const put = (fields: JsonObject): string[] =>
      problems(updated(roleBindingDefinition, old, roleBinding(fields)));
    assert.deepEqual(put({ subjects: [USER] }), []);
    assert.deepEqual(put({ roleRef: { ...ROLE_REF, name: 'writer' } }), [
      'FieldValueInvalid roleRef',
    ]);
  });

  it('shows role and subjects in tables', () => {
    const subjects = [USER, { ...USER, name: 'bob' }, { ...USER, kind: 'Group' }, ROBOT];
    const { object: made } = created(roleBindingDefinition, roleBinding({ subjects }));
    assert.deepEqual(rowOf(roleBindingDefinition, made), {
      Name: 'a',
      Role: 'ClusterRole/reader',
      Age: '<unknown>',
      Users: 'alice, bob',
      Groups: 'alice',
      ServiceAccounts: 'team/robot',
    });
  });
});

describe('ClusterRoleBinding', () => {
  testRefused(clusterRoleBindingDefinition, {
    'a Role': [
      clusterRoleBinding({ roleRef: { ...ROLE_REF, kind: 'Role' } }),
      ['FieldValueNotSupported roleRef.kind'],
    ],
    'a service account without namespace': [
      clusterRoleBinding({ subjects: [{ kind: 'ServiceAccount', name: 'robot' }] }),
      ['FieldValueRequired subjects[0].namespace'],
    ],
  });
});
