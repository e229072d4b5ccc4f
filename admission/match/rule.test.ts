import assert from 'node:assert/strict';
import type { NamedRuleValue } from '../../resources/admissionregistration/match-resources.ts';
import { Rule, type RequestPlace } from './rule.ts';

const LEASES = { group: 'coordination.cluster.io', version: 'v1', resource: 'leases' };
const PLACE: RequestPlace = {
  operation: 'UPDATE',
  resource: LEASES,
  subresource: '',
  isClusterScoped: false,
};
const ALL: NamedRuleValue = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*/*'],
};

function matches(
  change: NamedRuleValue,
  place: Partial<RequestPlace> = {},
  starCoversParent = false,
): boolean {
  return new Rule({ ...ALL, ...change }, starCoversParent).matches({ ...PLACE, ...place }, LEASES);
}

describe('a rule', () => {
  it('matches when operation, group, version and resource are each listed, or a star', () => {
    assert.ok(matches({}));
    assert.ok(
      matches({
        operations: ['CREATE', 'UPDATE'],
        apiGroups: ['', 'coordination.cluster.io'],
        apiVersions: ['v1'],
        resources: ['nodes', 'leases'],
      }),
    );
    assert.ok(!matches({ operations: ['CREATE'] }));
    assert.ok(!matches({ apiGroups: [''] }));
    assert.ok(!matches({ apiVersions: ['v1beta1'] }));
    assert.ok(!matches({ resources: ['nodes'] }));
  });

  it('matches nothing by a list that is absent', () => {
    for (const key of ['operations', 'apiGroups', 'apiVersions', 'resources'] as const) {
      assert.ok(!new Rule({ ...ALL, [key]: undefined }).matches(PLACE, LEASES), key);
    }
  });

  it('matches a group by its alias, and reports when the rule names the alias alone', () => {
    const alias = 'coordination.k8s.io';
    assert.ok(matches({ apiGroups: [alias] }));
    const names = (apiGroups: string[]): boolean =>
      new Rule({ ...ALL, apiGroups }).namesAlias(LEASES.group);
    assert.ok(names([alias]));
    assert.ok(!names([alias, LEASES.group]));
    assert.ok(!names(['*']));
  });

  it('matches a subresource only where it is named or a star stands for it', () => {
    const status = { subresource: 'status' };
    assert.ok(!matches({ resources: ['leases'] }, status));
    assert.ok(!matches({ resources: ['*'] }, status));
    assert.ok(matches({ resources: ['leases/status'] }, status));
    assert.ok(matches({ resources: ['leases/*'] }, status));
    assert.ok(matches({ resources: ['*/status'] }, status));
    assert.ok(!matches({ resources: ['leases/scale'] }, status));
    assert.ok(!matches({ resources: ['leases/status'] }));
  });

  it('covers the object itself by `leases/*` in policies, and not in webhooks', () => {
    assert.ok(!matches({ resources: ['leases/*'] }, {}, false));
    assert.ok(matches({ resources: ['leases/*'] }, {}, true));
    assert.ok(matches({ resources: ['*/*'] }, {}, false));
  });

  it('matches by scope', () => {
    const cluster = { isClusterScoped: true };
    assert.ok(matches({ scope: '*' }) && matches({ scope: '*' }, cluster));
    assert.ok(matches({ scope: 'Namespaced' }) && !matches({ scope: 'Namespaced' }, cluster));
    assert.ok(!matches({ scope: 'Cluster' }) && matches({ scope: 'Cluster' }, cluster));
  });

  it('matches the named objects, or all objects when it lists no names', () => {
    assert.ok(new Rule(ALL).matchesName('a'));
    const one = new Rule({ ...ALL, resourceNames: ['a'] });
    assert.deepEqual([one.matchesName('a'), one.matchesName('b')], [true, false]);
  });
});
