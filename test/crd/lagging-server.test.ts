import assert from 'node:assert/strict';
import { APPLY, crd, CRDS, MERGE, patched } from '../support/custom.ts';
import { TestEtcd } from '../support/etcd.ts';
import { LateWatches } from '../support/late-watches.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const GROUP = 'late.example.com';
const HOLD = 'example.com/hold';

/** Every way to make a custom object: a PUT makes none. */
const WAYS = {
  create: (server: Plinth, path: string, object: any) => server.send('POST', path, object),
  'create by apply': (server: Plinth, path: string, object: any) =>
    patched(server, `${path}/${object.metadata.name}?fieldManager=test`, APPLY, object),
};

describe('an instance on a server that has not heard what became of its definition', () => {
  let etcd: TestEtcd;
  let watches: LateWatches;
  let server: Plinth;
  let behind: Plinth;
  let plural = '';
  let round = 0;
  before(async () => {
    etcd = await TestEtcd.start();
    watches = await LateWatches.to(etcd.url);
    server = await Plinth.start({ args: ['--etcd-servers', etcd.url] });
    behind = await Plinth.start({ args: ['--etcd-servers', watches.url] });
  });
  after(async () => {
    await behind.dispose();
    await server.dispose();
    await watches.close();
    await etcd.dispose();
  });
  beforeEach(async () => {
    plural = `parts${++round}`;
    await define();
    for (const each of [server, behind]) await eventually(isServed(each), 'parts are served');
    assert.equal((await instance(behind, 'first')).status, 201);
    watches.hold();
  });
  afterEach(() => watches.release());

  const body = (): any => crd({ plural, kind: `Part${round}`, group: GROUP });
  const definition = (): string => `${CRDS}/${plural}.${GROUP}`;
  const path = (): string => `/apis/${GROUP}/v1/namespaces/default/${plural}`;
  const isServed = (on: Plinth) => async (): Promise<boolean> =>
    (await on.get(path())).status === 200;
  async function define(): Promise<void> {
    assert.equal((await server.send('POST', CRDS, body())).status, 201);
  }
  function object(name: string, metadata: object = {}): any {
    return {
      apiVersion: `${GROUP}/v1`,
      kind: `Part${round}`,
      metadata: { name, ...metadata },
    };
  }
  function instance(on: Plinth, name: string, metadata: object = {}): Promise<Reply> {
    return on.send('POST', path(), object(name, metadata));
  }
  async function remove(): Promise<void> {
    await server.send('DELETE', definition());
    const isGone = async (): Promise<boolean> => (await server.get(definition())).status === 404;
    await eventually(isGone, 'the definition goes');
    // the other server goes on showing it
    assert.equal((await behind.get(`${definition()}?resourceVersion=0`)).status, 200);
  }
  async function names(): Promise<string[]> {
    const { json } = await server.get(path());
    return json.items.map(({ metadata }: any) => metadata.name);
  }

  for (const [way, make] of Object.entries(WAYS)) {
    it(`${way}: is not found once the definition is gone, and does not come back with it`, async () => {
      await remove();
      const { status, json } = await make(behind, path(), object('stranded'));
      assert.equal(status, 404, JSON.stringify(json));
      assert.equal(json.message, 'the server could not find the requested resource');
      await define();
      await eventually(isServed(server), 'parts are served again');
      assert.deepEqual(await names(), []);
    });

    it(`${way}: is refused while the definition is being removed, as on any other server`, async () => {
      const held = await instance(server, 'held', { finalizers: [HOLD] });
      assert.equal(held.status, 201);
      await server.send('DELETE', definition());
      const { status, json } = await make(behind, path(), object('late'));
      const known = await make(server, path(), object('late'));
      assert.equal(status, 403, JSON.stringify(json));
      assert.deepEqual(json, known.json);
      await patched(server, `${path()}/held`, MERGE, { metadata: { finalizers: null } });
    });

    it(`${way}: succeeds when the definition was only changed`, async () => {
      const labels = { metadata: { labels: { seen: 'yes' } } };
      assert.equal((await patched(server, definition(), MERGE, labels)).status, 200);
      const { status, json } = await make(behind, path(), object('new'));
      assert.equal(status, 201, JSON.stringify(json));
      assert.deepEqual(await names(), ['first', 'new']);
    });
  }

  it('is not found where another definition has taken its place, until that is known', async () => {
    await remove();
    await define();
    await eventually(isServed(server), 'parts are served again');
    assert.equal((await instance(behind, 'early')).status, 404);
    assert.deepEqual(await names(), []);
    watches.release();
    await eventually(isServed(behind), 'parts are served by the other server');
    assert.equal((await instance(behind, 'in-time')).status, 201);
  });
});
