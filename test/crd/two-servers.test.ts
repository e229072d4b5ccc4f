import assert from 'node:assert/strict';
import { crd, CRDS, MERGE, patched } from '../support/custom.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { requestsUntil } from '../support/requests-until.ts';

/** To the other server, one after the other: less than 100 ms of a machine without other work. */
const SERVED_WITHIN_REQUESTS = 20;
const ROUNDS = 10;

describe('definitions on two servers of one installation', () => {
  let etcd: TestEtcd;
  let one: Plinth;
  let other: Plinth;
  before(async () => {
    etcd = await TestEtcd.start();
    const args = ['--etcd-servers', etcd.url];
    one = await Plinth.start({ args });
    other = await Plinth.start({ args });
  });
  after(async () => {
    await one.dispose();
    await other.dispose();
    await etcd.dispose();
  });

  it(`serve on both at the latest ${SERVED_WITHIN_REQUESTS} requests after the answer to the creation`, async () => {
    const delays: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const plural = `things${i}`;
      const body = crd({ plural, kind: `Thing${i}`, group: 'two.example.com' });
      assert.equal((await one.send('POST', CRDS, body)).status, 201);
      const object = {
        apiVersion: 'two.example.com/v1',
        kind: `Thing${i}`,
        metadata: { name: 'a' },
      };
      const path = `/apis/two.example.com/v1/namespaces/default/${plural}`;
      const isServed = async (): Promise<boolean> =>
        (await other.send('POST', path, object)).status === 201;
      delays.push(await requestsUntil(isServed, `${plural} are served by the other server`));
      assert.equal((await one.get(`${path}/a`)).status, 200);
    }
    delays.sort((a, b) => a - b);
    assert.ok(delays[ROUNDS / 2]! <= SERVED_WITHIN_REQUESTS, delays.join(' '));
  });

  it('count on the other server from the moment on at which it shows a change', async () => {
    const group = 'changed.example.com';
    await one.send('POST', CRDS, crd({ plural: 'rules', kind: 'Rule', group }));
    const path = `/apis/${group}/v1/namespaces/default/rules`;
    await eventually(async () => (await other.get(path)).status === 200, 'rules are served');
    for (let round = 0; round < ROUNDS; round++) {
      const limit = { type: 'integer', maximum: round };
      const spec = { type: 'object', properties: { size: limit } };
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
      const versions = [{ name: 'v1', served: true, storage: true, schema }];
      const crdPath = `${CRDS}/rules.${group}`;
      const changed = await patched(one, crdPath, MERGE, { spec: { versions } });
      assert.equal(changed.status, 200, changed.text);
      const shows = async (query: string): Promise<boolean> => {
        const { metadata } = (await other.get(`${crdPath}${query}`)).json;
        return metadata.resourceVersion === changed.json.metadata.resourceVersion;
      };
      assert.ok(await shows(''), 'a consistent read shows the change');
      // from the store, where the watch is late: what the server decides by is what it shows itself
      await eventually(() => shows('?resourceVersion=0'), 'the other server has seen the change');
      const rule = (size: number): object => ({
        apiVersion: `${group}/v1`,
        kind: 'Rule',
        metadata: { name: `r${round}` },
        spec: { size },
      });
      assert.equal((await other.send('POST', path, rule(round + 1))).status, 422);
      assert.equal((await other.send('POST', path, rule(round))).status, 201);
    }
  });
});
