import assert from 'node:assert/strict';
import { Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * Patches, statements about owners and selectors that are as large as a request
 * may be are worked on in short turns, or refused. Measured as in turns.test.ts.
 */
const API_VERSION = 'coordination.cluster.io/v1';
const LEASES = `/apis/${API_VERSION}/namespaces/default/leases`;
const ROLES = '/apis/rbac.authorization.cluster.io/v1/namespaces/default/roles';
const REVIEWS = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
const MERGE_TYPE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH_TYPE = { 'content-type': 'application/json-patch+json' };
const APPLY_TYPE = { 'content-type': 'application/apply-patch+yaml' };

const keys = <T>(count: number, value: T, prefix = 'k'): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, value]));

describe('turns of the event loop, for patches, owners and selectors', () => {
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    await plinth.send('POST', LEASES, { metadata: { name: 'target' } });
  });
  after(() => plinth.dispose());

  const patch = (type: Record<string, string>, body: unknown, query = '') =>
    plinth.send('PATCH', `${LEASES}/target${query}`, body, type);

  it('are short while a patch adds, tests or copies tens of thousands of values', async () => {
    const labels = keys(20_000, 'x');
    await turns.areShortFor(422, () => patch(MERGE_TYPE, { metadata: { labels } }));
    const kept = { metadata: { labels: keys(900, 'x') } };
    await turns.areShortFor(200, () => patch(MERGE_TYPE, kept));
    const [path, annotations] = ['/metadata/labels', '/metadata/annotations'];
    const tests = Array.from({ length: 9 }, () => ({ op: 'test', path, value: keys(5_000, 'x') }));
    await turns.areShortFor(422, () => patch(JSON_PATCH_TYPE, tests));
    const copies = Array.from({ length: 9_999 }, (_, i) => ({
      ...{ op: 'copy', from: `${annotations}/a`, path: `${annotations}/b${i}` },
    }));
    const first = { op: 'add', path: annotations, value: { a: 'x'.repeat(100) } };
    await turns.areShortFor(422, () => patch(JSON_PATCH_TYPE, [first, ...copies]));
  });

  it('are short while owners of tens of thousands of fields are stated', async () => {
    const stated = (i: number): object => ({
      metadata: {
        name: `stated-${i}`,
        managedFields: [
          {
            ...{ manager: 'm', operation: 'Update', apiVersion: API_VERSION },
            ...{ fieldsType: 'FieldsV1', fieldsV1: { 'f:metadata': keys(40_000, {}, 'f:k') } },
          },
        ],
      },
    });
    await turns.areShortFor(201, (attempt) => plinth.send('POST', LEASES, stated(attempt)));
    const applied = { apiVersion: API_VERSION, kind: 'Lease', metadata: { name: 'stated-0' } };
    const path = `${LEASES}/stated-0?fieldManager=other`;
    await turns.areShortFor(200, (attempt) => {
      const metadata = { ...applied.metadata, labels: { a: `v${attempt}` } };
      return plinth.send('PATCH', `${path}&force=true`, { ...applied, metadata }, APPLY_TYPE);
    });
  });

  it('are short while a role of thousands of rules is written', async () => {
    const rules = Array.from({ length: 9_000 }, (_, i) => ({
      ...{ apiGroups: ['a'], resources: [`r${i}`], verbs: ['get'] },
    }));
    await turns.areShortFor(201, (attempt) =>
      plinth.send('POST', ROLES, { metadata: { name: `large-${attempt}` }, rules }),
    );
    await turns.areShortFor(200, (attempt) => {
      const metadata = { name: 'large-0', labels: { a: `v${attempt}` } };
      return plinth.send('PATCH', `${ROLES}/large-0`, { metadata, rules }, MERGE_TYPE);
    });
  });

  it('are short for selectors of hundreds of thousands of terms, which are refused', async () => {
    const review = (selector: object): Promise<Reply> => {
      const resourceAttributes = { verb: 'list', resource: 'leases', ...selector };
      return plinth.send('POST', REVIEWS, { spec: { resourceAttributes } });
    };
    const terms = Array.from({ length: 200_000 }, (_, i) => `k${i}!=v`).join(',');
    for (const [kind, rawSelector] of [
      ['labelSelector', terms],
      ['labelSelector', `a in (${Array.from({ length: 300_000 }, (_, i) => i).join(',')})`],
      ['fieldSelector', terms],
    ]) {
      const { json } = await turns.areShortFor(201, () => review({ [kind!]: { rawSelector } }));
      assert.match(json.status.evaluationError, /limit is 65536/);
    }
  });
});
