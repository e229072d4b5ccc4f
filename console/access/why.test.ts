import assert from 'node:assert/strict';
import { isAllowed, rightsOf } from '../api/rules.ts';
import { grantsOf, isMeant, reasonsFor, subjectText } from './why.ts';

const rule = (verbs: string[], resources: string[], resourceNames: string[] = []) => ({
  ...{ verbs, apiGroups: [''], resources, resourceNames },
});
const grants = grantsOf({
  roles: [{ metadata: { name: 'read', namespace: 'a' }, rules: [rule(['get'], ['configmaps'])] }],
  clusterRoles: [
    { metadata: { name: 'all' }, rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] },
  ],
  bindings: [
    {
      metadata: { name: 'b', namespace: 'a' },
      roleRef: { kind: 'Role', name: 'read' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'x' }],
    },
  ],
  clusterBindings: [
    {
      metadata: { name: 'admins' },
      roleRef: { kind: 'ClusterRole', name: 'all' },
      subjects: [{ kind: 'Group', name: 'admins' }],
    },
    { metadata: { name: 'lost' }, roleRef: { kind: 'ClusterRole', name: 'gone' } },
  ],
});

describe('access', () => {
  const right = { verb: 'get', group: '', resource: 'configmaps' };
  const who = (namespace: string, asked = right): string[] =>
    reasonsFor(grants, asked, namespace).flatMap(({ subjects }) => subjects.map(subjectText));

  it('is explained by the bindings that grant it, in their namespace', () => {
    assert.deepEqual(who('a'), ['group admins', 'account x/robot']);
    assert.deepEqual(who('b'), ['group admins']);
    assert.deepEqual(who('a', { ...right, verb: 'delete' }), ['group admins']);
  });

  it('matches users, groups and service accounts by name', () => {
    const [admins, robot] = grants.flatMap(({ subjects }) => subjects);
    assert.ok(isMeant(admins!, 'ann', ['admins']));
    assert.ok(isMeant(robot!, 'system:serviceaccount:x:robot', []));
    assert.ok(!isMeant(robot!, 'robot', []));
  });

  it('of a user follows the rules that the server lists', () => {
    const { rules } = rightsOf({
      status: {
        resourceRules: [
          rule(['get'], ['configmaps'], ['one']),
          rule(['list'], ['secrets', '*/scale']),
        ],
      },
    });
    assert.ok(isAllowed(rules, { ...right, name: 'one' }));
    assert.ok(!isAllowed(rules, { ...right, name: 'two' }));
    assert.ok(!isAllowed(rules, right));
    assert.ok(isAllowed(rules, { verb: 'list', group: '', resource: 'widgets/scale' }));
    assert.ok(!isAllowed(rules, { verb: 'list', group: 'x', resource: 'secrets' }));
  });
});
