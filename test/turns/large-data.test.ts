import assert from 'node:assert/strict';
import { Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * Built-in kinds with maps of tens of thousands of keys are read, merged and
 * judged in short turns, as custom ones are. Measured as in turns.test.ts.
 */
const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const MERGE_TYPE = { 'content-type': 'application/merge-patch+json' };
const STRATEGIC_TYPE = { 'content-type': 'application/strategic-merge-patch+json' };
const JSON_PATCH_TYPE = { 'content-type': 'application/json-patch+json' };
const APPLY_TYPE = { 'content-type': 'application/apply-patch+yaml' };
const KEYS = 40_000;

const keys = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));

describe('ConfigMaps and Secrets of 40,000 keys', function () {
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => (plinth = await Plinth.start({ nodeArgs: turns.nodeArgs })));
  after(() => plinth.dispose());

  it('are created in short turns', async () => {
    const data = keys(KEYS, 'x');
    await turns.areShortFor(201, (i) =>
      plinth.send('POST', MAPS, { metadata: { name: `m${i}` }, data }),
    );
    await turns.areShortFor(201, (i) =>
      plinth.send('POST', SECRETS, { metadata: { name: `s${i}` }, data: keys(KEYS, 'eA==') }),
    );
  });

  it('are merged by either kind of patch, and tested, in short turns', async () => {
    const patch = (type: Record<string, string>, body: unknown): Promise<Reply> =>
      plinth.send('PATCH', `${MAPS}/m0`, body, type);
    await turns.areShortFor(200, (i) => patch(MERGE_TYPE, { data: keys(20_000, `a${i}`) }));
    await turns.areShortFor(200, (i) => patch(STRATEGIC_TYPE, { data: keys(20_000, `b${i}`) }));
    const value = keys(5_000, 'x');
    const tests = Array.from({ length: 9 }, () => ({ op: 'test', path: '/data', value }));
    await turns.areShortFor(422, () => patch(JSON_PATCH_TYPE, tests));
  });

  it('are applied, and refused for 20,000 conflicts, in short turns', async () => {
    const apply = (name: string, value: string, query: string): Promise<Reply> => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      const path = `${MAPS}/${name}?fieldManager=${query}`;
      return plinth.send('PATCH', path, { ...body, data: keys(20_000, value) }, APPLY_TYPE);
    };
    await turns.areShortFor(200, async (i) => {
      await apply('applied', `${i}`, 'first&force=true');
      return apply('applied', `${i}x`, 'first');
    });
    const { json } = await turns.areShortFor(409, (i) => apply('applied', `${i}y`, 'second'));
    assert.match(json.message, /^Apply failed with 20000 conflicts: .*"first"/);
  });
});
