import assert from 'node:assert/strict';
import { FieldPath } from '../../api/field-path.ts';
import { validateRule, type RuleValue } from './rules.ts';

const RULE = {
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['lamps'],
};
const problems = (fields: RuleValue): string[] =>
  validateRule(FieldPath.of('rule'), { ...RULE, ...fields }).map(
    ({ type, path }) => `${type.replace('FieldValue', '')} ${path}`,
  );

describe('rules of webhooks and policies', () => {
  const accepted: Record<string, RuleValue> = {
    'all operations': { operations: ['*'] },
    'each operation': { operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] },
    'an operation twice': { operations: ['CREATE', 'CREATE'] },
    'the core group': { apiGroups: [''] },
    'all groups and versions': { apiGroups: ['*'], apiVersions: ['*'] },
    everything: { resources: ['*/*'] },
    'all resources and a subresource of one': { resources: ['*', 'lamps/status'] },
    'one subresource of all and another of one': { resources: ['*/scale', 'lamps/status'] },
    'each scope': { scope: 'Namespaced' },
    'the empty scope': { scope: '' },
  };
  for (const [what, fields] of Object.entries(accepted)) {
    it(`take ${what}`, () => assert.deepEqual(problems(fields), []));
  }

  const refused: Record<string, [RuleValue, string[]]> = {
    'nothing at all': [
      { apiGroups: [], apiVersions: [], operations: [], resources: [] },
      [
        'Required rule.operations',
        'Required rule.apiGroups',
        'Required rule.apiVersions',
        'Required rule.resources',
      ],
    ],
    'a wildcard and an operation': [{ operations: ['*', 'CREATE'] }, ['Invalid rule.operations']],
    'an operation in lower case': [{ operations: ['create'] }, ['NotSupported rule.operations[0]']],
    'a wildcard and a group': [{ apiGroups: ['*', 'a'] }, ['Invalid rule.apiGroups']],
    'a wildcard and a version': [{ apiVersions: ['v1', '*'] }, ['Invalid rule.apiVersions']],
    'an empty version': [{ apiVersions: ['v1', ''] }, ['Required rule.apiVersions[1]']],
    'an empty resource': [{ resources: ['lamps', ''] }, ['Required rule.resources[1]']],
    'everything and a resource': [{ resources: ['*/*', 'lamps'] }, ['Invalid rule.resources']],
    'all resources, then one': [{ resources: ['*', 'lamps'] }, ['Invalid rule.resources']],
    'all subresources of one and one of them': [
      { resources: ['lamps/*', 'lamps/status'] },
      ['Invalid rule.resources[1]'],
    ],
    'one subresource of all and that of one': [
      { resources: ['*/scale', 'lamps/scale'] },
      ['Invalid rule.resources[1]'],
    ],
    'an unknown scope': [{ scope: 'cluster' }, ['NotSupported rule.scope']],
  };
  it('take one resource, then all', () => {
    assert.deepEqual(problems({ resources: ['lamps', '*'] }), []);
  });

  for (const [what, [fields, expected]] of Object.entries(refused)) {
    it(`refuse ${what}`, () => assert.deepEqual(problems(fields), expected));
  }
});
