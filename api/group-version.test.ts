import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  apiVersionOf,
  compareVersionNames,
  groupKindName,
  groupResourceName,
  parseApiVersion,
} from './group-version.ts';

describe('group and version', () => {
  it('convert to and from an apiVersion', () => {
    for (const [text, group, version] of [
      ['v1', '', 'v1'],
      ['coordination.cluster.io/v1beta1', 'coordination.cluster.io', 'v1beta1'],
    ] as const) {
      assert.deepEqual(parseApiVersion(text), { group, version });
      assert.equal(apiVersionOf({ group, version }), text);
    }
    for (const bad of ['', '/', 'a/', 'a/b/c', '//'])
      assert.equal(parseApiVersion(bad), undefined, bad);
  });

  it('name resources and kinds in messages', () => {
    assert.equal(groupResourceName({ group: 'a.b', resource: 'leases' }), 'leases.a.b');
    assert.equal(groupResourceName({ group: '', resource: 'nodes' }), 'nodes');
    assert.equal(groupKindName({ group: 'a.b', kind: 'Lease' }), 'Lease.a.b');
    assert.equal(groupKindName({ group: '', kind: 'Node' }), 'Node');
  });
});

describe('compareVersionNames', () => {
  // the order example of specification 1, section 2.1
  const ORDER = 'v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10'.split(
    ', ',
  );

  it('orders as the specification shows', () => {
    for (const [i, a] of ORDER.entries()) {
      for (const [j, b] of ORDER.entries()) {
        assert.equal(Math.sign(compareVersionNames(a, b)), Math.sign(i - j), `${a} ${b}`);
      }
    }
  });

  it('orders names that only resemble versions alphabetically', () => {
    assert.ok(compareVersionNames('v1', 'v01') < 0);
    assert.ok(compareVersionNames('v1alpha1', 'v0') < 0);
    assert.ok(compareVersionNames('v1alpha1', 'v1gamma1') < 0);
    assert.ok(compareVersionNames('v99999999999999999999', 'v99999999999999999998') < 0);
  });

  it('is a total order (property)', () => {
    const name = fc.oneof(
      fc.constantFrom(...ORDER),
      fc.stringMatching(/^v?\d{0,2}(alpha|beta|x)?\d?$/),
    );
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        const sign = (x: string, y: string): number => Math.sign(compareVersionNames(x, y));
        assert.equal(sign(a, b), 0 - sign(b, a) || 0);
        assert.equal(sign(a, b) === 0, a === b);
        if (sign(a, b) <= 0 && sign(b, c) <= 0) assert.ok(sign(a, c) <= 0);
      }),
    );
  });
});
