import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertTextsGo } from '../test/support/kept-texts.ts';
import { readPath, requestInfoOf } from './request-info.ts';

const NO_QUERY = new URLSearchParams();
/** All that means something in a path, and what does not. */
const SEGMENTS = [
  ...['api', 'apis', 'v1', 'apps', 'query.cluster.io', 'coordination.k8s.io', 'snapshot', 'watch'],
  ...['namespaces', 'leases', 'status', 'finalize', 'scale', 'a', 'b', '', '%61', 'a%2Fb', '%'],
];

describe('what a path asks for', () => {
  it('is the same whether its collection is remembered or not', () => {
    const start = fc.constantFrom('/api/v1', '/apis/apps/v1', '/apis/query.cluster.io/v1', '');
    const rest = fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 6 });
    const path = fc.tuple(start, rest).map(([first, more]) => [first, ...more].join('/'));
    const method = fc.constantFrom('GET', 'POST', 'DELETE', 'OPTIONS');
    fc.assert(
      fc.property(method, path, fc.boolean(), (how, where, aliases) => {
        const read = readPath(how, where, NO_QUERY, aliases);
        for (let time = 0; time < 2; time++) {
          assert.deepEqual(requestInfoOf(how, where, NO_QUERY, aliases), read);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('says a namespace for each namespace', () => {
    for (const name of ['a', 'b']) {
      const info = requestInfoOf('GET', `/api/v1/namespaces/${name}`, NO_QUERY);
      assert.deepEqual([info?.namespace, info?.name], [name, name]);
    }
  });

  for (const [method, end] of [
    ['POST', ''],
    ['GET', '/name-of-an-object'],
  ] as const) {
    it(`is remembered for ${method} without the query behind the path`, () => {
      assertTextsGo(
        (i) => `/api/v1/namespaces/of-a-long-target-${i}/configmaps${end}`,
        (path) => assert.equal(requestInfoOf(method, path, NO_QUERY)?.resource, 'configmaps'),
      );
    });
  }
});
