import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EVERYTHING, hashOf, parseRoute, type Route } from './route.ts';

const kind = { group: 'coordination.cluster.io', version: 'v1', plural: 'leases' };

describe('addresses', () => {
  it('round-trip every location', () => {
    const places: Route[] = [
      { view: 'overview', parameters: {} },
      { view: 'access', parameters: { user: 'ann b', verb: 'get' } },
      { view: 'table', kind, query: EVERYTHING },
      {
        view: 'table',
        kind,
        query: { ...EVERYTHING, namespace: 'a', filter: 'object.x == "1&2"' },
      },
      { view: 'object', kind, namespace: 'default', name: 'a', tab: 'yaml' },
      { view: 'object', kind: { ...kind, group: '' }, namespace: '', name: 'a:b', tab: 'summary' },
      { view: 'create', kind, namespace: 'default', isForm: false },
      { view: 'create', kind, namespace: '', isForm: true },
    ];
    for (const place of places) assert.deepEqual(parseRoute(hashOf(place)), place);
  });

  it('keep names and filters with any characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (name, filter) => {
        const object = { view: 'object', kind, namespace: 'n', name, tab: 'summary' } as const;
        assert.deepEqual(parseRoute(hashOf(object)), object);
        const table = { view: 'table', kind, query: { ...EVERYTHING, filter } } as const;
        assert.deepEqual(parseRoute(hashOf(table)), table);
      }),
    );
  });

  it('that match no location are reported', () => {
    for (const hash of [
      '#/nowhere',
      '#/kind/core/v1',
      '#/overview/x',
      '#/kind/core/v1/x/default/',
    ]) {
      assert.equal(parseRoute(hash).view, 'missing', hash);
    }
    assert.equal(parseRoute('').view, 'overview');
    assert.equal(parseRoute('#/%E0%A4%A/x').view, 'missing');
  });
});
