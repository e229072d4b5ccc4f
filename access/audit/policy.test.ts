import assert from 'node:assert/strict';
import type { JsonValue } from '../../api/json.ts';
import { requestInfoOf } from '../../http/request-info.ts';
import { policyOf } from './policy-file.ts';
import { AuditDecider } from './policy.ts';

function level(rule: JsonValue, method: string, path: string, name = 'u'): string {
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [rule] };
  const [rawPath = '', query] = path.split('?');
  const info = requestInfoOf(method, rawPath, new URLSearchParams(query))!;
  const user = { name, uid: '', groups: ['g'], extra: {} };
  return new AuditDecider(policyOf(policy)).decide(info, user).level;
}

const NODE = '/api/v1/nodes/a';
const LEASE = '/apis/coordination.cluster.io/v1/namespaces/ns/leases/l';

describe('the rules of an audit policy', () => {
  const cases: [string, object, string, string, boolean][] = [
    ['everything', {}, 'GET', NODE, true],
    ['a user', { users: ['u'] }, 'GET', NODE, true],
    ['another user', { users: ['x'] }, 'GET', NODE, false],
    ['a group', { userGroups: ['x', 'g'] }, 'GET', NODE, true],
    ['a verb', { verbs: ['watch'] }, 'GET', '/api/v1/nodes?watch=1', true],
    ['another verb', { verbs: ['watch'] }, 'GET', NODE, false],
    ['a whole group', { resources: [{ group: '' }] }, 'GET', NODE, true],
    ['another group', { resources: [{ group: '' }] }, 'GET', LEASE, false],
    [
      'a group by its other name',
      { resources: [{ group: 'coordination.k8s.io' }] },
      'GET',
      LEASE,
      true,
    ],
    [
      'a resource is not its subresources',
      { resources: [{ group: '', resources: ['nodes'] }] },
      'GET',
      `${NODE}/status`,
      false,
    ],
    [
      'a subresource',
      { resources: [{ group: '', resources: ['nodes/status'] }] },
      'GET',
      `${NODE}/status`,
      true,
    ],
    [
      'all subresources',
      { resources: [{ group: '', resources: ['nodes/*'] }] },
      'GET',
      `${NODE}/status`,
      true,
    ],
    [
      'a subresource of all',
      { resources: [{ group: '', resources: ['*/status'] }] },
      'GET',
      `${NODE}/status`,
      true,
    ],
    [
      'everything of a group',
      { resources: [{ group: '', resources: ['*'] }] },
      'GET',
      `${NODE}/status`,
      true,
    ],
    [
      'a name',
      { resources: [{ group: '', resources: ['nodes'], resourceNames: ['a'] }] },
      'GET',
      NODE,
      true,
    ],
    [
      'another name',
      { resources: [{ group: '', resources: ['nodes'], resourceNames: ['b'] }] },
      'GET',
      NODE,
      false,
    ],
    ['a namespace', { namespaces: ['ns'] }, 'GET', LEASE, true],
    ['what is in none', { namespaces: [''] }, 'GET', NODE, true],
    ['another namespace', { namespaces: ['x'] }, 'GET', LEASE, false],
    ['a path', { nonResourceURLs: ['/version'] }, 'GET', '/version', true],
    ['paths', { nonResourceURLs: ['/openapi*'] }, 'GET', '/openapi/v3', true],
    ['paths are not resources', { nonResourceURLs: ['*'] }, 'GET', NODE, false],
    ['resources are not paths', { resources: [{ group: '' }] }, 'GET', '/version', false],
  ];
  for (const [what, rule, method, path, matches] of cases) {
    it(`${what}: ${matches ? 'matches' : 'does not match'}`, () => {
      const found = level({ level: 'Request', ...rule }, method, path);
      assert.equal(found, matches ? 'Request' : 'None');
    });
  }

  const wrong: [JsonValue, RegExp][] = [
    [{ level: 'Everything' }, /rules\[0\]\.level/],
    [{}, /rules\[0\]\.level/],
    [{ level: 'None', verb: ['get'] }, /unknown field verb/],
    [{ level: 'None', verbs: 'get' }, /rules\[0\]\.verbs/],
    [{ level: 'None', omitStages: ['Never'] }, /rules\[0\]\.omitStages/],
    [{ level: 'None', resources: [{ group: '', resourceNames: ['a'] }] }, /resourceNames needs/],
    [{ level: 'None', nonResourceURLs: ['/a*b'] }, /nonResourceURLs/],
    [{ level: 'None', nonResourceURLs: ['/a'], namespaces: ['x'] }, /nonResourceURLs, or/],
  ];
  for (const [rule, message] of wrong) {
    it(`refuses ${JSON.stringify(rule)}`, () => {
      assert.throws(() => level(rule, 'GET', NODE), message);
    });
  }
});
