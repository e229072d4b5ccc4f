import assert from 'node:assert/strict';
import { AdmissionChain, type AdmissionPlugin } from '../admission/chain.ts';
import { forbidden, type ApiError } from '../api/api-error.ts';
import type { JsonObject } from '../api/json.ts';
import { CustomResources } from '../registry/custom-resources.ts';
import { lagging, Running, World, type TestServer } from '../test/support/world.ts';
import { settle } from '../test/support/fake-clock.ts';
import { crdCleanupLoop } from './crd-cleanup-loop.ts';
import { crdNamesLoop } from './crd-names-loop.ts';
import { LoopWriter } from './writer.ts';

const CRDS = { group: 'apiextensions.cluster.io', resource: 'customresourcedefinitions' };

describe('removal of definitions', () => {
  let world: World;
  let server: TestServer;
  let custom: CustomResources;
  let running: Running[];

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    const { catalog, reader } = server.parts;
    custom = new CustomResources({ replica: reader.replica, catalog });
    running = [new Running(server, crdNamesLoop(server.parts, new LoopWriter(server.parts)))];
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
    custom.stop();
    await world.stop();
  });

  async function define(plural: string): Promise<void> {
    const names = {
      plural,
      singular: `${plural}one`,
      kind: `K${plural}`,
      listKind: `K${plural}List`,
    };
    const schema = { openAPIV3Schema: { type: 'object' } };
    await server.create(CRDS.group, CRDS.resource, {
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await world.pass(1_000);
  }
  const instance = (plural: string, name = 'one'): Promise<JsonObject> =>
    server.create('example.com', plural, { metadata: { name } });
  const clean = (): void =>
    void running.push(
      new Running(server, crdCleanupLoop(server.parts, new LoopWriter(server.parts))),
    );

  const keys = (): string[] =>
    [...world.store.stateAt(world.store.revision).keys()].filter((key) =>
      key.startsWith('example.com/'),
    );

  it('deletes their instances', async () => {
    await define('gadgets');
    await instance('gadgets');
    await server.delete({ ...CRDS, name: 'gadgets.example.com' });
    clean();
    await world.pass(1_000);
    assert.equal(await server.get({ ...CRDS, name: 'gadgets.example.com' }), undefined);
    assert.deepEqual(keys(), []);
  });

  it('goes on at once when the last instance goes while the condition is looked at', async () => {
    await define('gadgets');
    const held = { name: 'one', finalizers: ['example.com/hold'] };
    await server.create('example.com', 'gadgets', { metadata: held });
    await server.delete({ ...CRDS, name: 'gadgets.example.com' });
    const { store } = world;
    const get = store.get.bind(store);
    let reads = 0;
    store.get = async (key) => {
      const found = await get(key);
      const isMarked = (await get('example.com/gadgets/one')).item?.value.includes(
        'deletionTimestamp',
      );
      if (key.endsWith('gadgets.example.com') && isMarked === true && ++reads === 1) {
        await world.removeNow('example.com/gadgets/one');
        await settle();
      }
      return found;
    };
    clean();
    await world.pass(5_000);
    assert.equal(reads, 1);
    assert.equal(await server.get({ ...CRDS, name: 'gadgets.example.com' }), undefined);
  });

  it('deletes the instances of a group that has since been reserved, without serving them', async () => {
    await define('gadgets');
    await instance('gadgets');
    const { store } = world;
    const [from, to] = ['example.com', 'networking.k8s.io'] as const;
    for (const [prefix, rest] of [
      [`${CRDS.group}/${CRDS.resource}/gadgets.`, ''],
      ['', '/gadgets/one'],
    ] as const) {
      const { item } = await store.get(prefix + from + rest);
      const text = item!.value.toString().replaceAll(from, to).replaceAll('"uid-', '"uid-of-old-');
      await store.create(prefix + to + rest, Buffer.from(text));
    }
    await world.pass(1_000);
    assert.equal(server.parts.catalog.find(to, 'v1', 'gadgets'), undefined);
    assert.notEqual(server.parts.catalog.find(from, 'v1', 'gadgets'), undefined);
    clean();
    await server.delete({ ...CRDS, name: `gadgets.${to}` });
    await world.pass(1_000);
    const left = [...store.stateAt(store.revision).keys()].filter((key) => key.includes(to));
    assert.deepEqual(left, []);
  });

  it('deletes all instances that may be deleted, however many of the others come first', async () => {
    await define('gadgets');
    for (let i = 10; i < 30; i++) await instance('gadgets', `kept-${i}`);
    await instance('gadgets', 'last');
    await server.delete({ ...CRDS, name: 'gadgets.example.com' });
    const refusing: AdmissionPlugin = {
      name: 'keeper',
      handles: (operation, { name }) => operation === 'DELETE' && name.startsWith('kept'),
      validate: ({ name }) => Promise.reject(forbidden({ group: '', resource: 'x' }, name, 'no')),
    };
    server.parts = { ...server.parts, admission: new AdmissionChain([refusing]) };
    clean();
    await world.pass(60_000);
    assert.equal(keys().length, 20);
    assert.ok(!keys().includes('example.com/gadgets/last'));
  });

  it('keeps the instances of a definition that is created again before its turn', async () => {
    for (const plural of ['gadgets', 'widgets']) {
      await define(plural);
      await instance(plural);
    }
    for (const plural of ['gadgets', 'widgets']) {
      await server.delete({ ...CRDS, name: `${plural}.example.com` });
    }
    // while the instances of the first go, another client removes the second and creates it again
    const isMadeAgain = world.beforeDeletion('example.com/gadgets/one', async () => {
      await world.removeNow('example.com/widgets/one');
      await world.removeNow(`${CRDS.group}/${CRDS.resource}/widgets.example.com`);
      await define('widgets');
      await instance('widgets');
    });
    clean();
    await world.pass(10_000);
    assert.ok(isMadeAgain());
    assert.deepEqual(keys(), ['example.com/widgets/one']);
  });

  it('leaves no object behind that a lagging server creates meanwhile, in any interleaving', async () => {
    const late = lagging(world.store);
    const behind = await world.server(late.store);
    const { catalog, reader } = behind.parts;
    const followed = new CustomResources({ replica: reader.replica, catalog });
    const outcomes = { created: 0, refused: 0 };
    clean();
    try {
      for (let round = 0; round < 20; round++) {
        late.release();
        await define('gadgets');
        late.hold();
        const creating = (async () => {
          for (let i = 0; i < 30; i++) {
            try {
              await behind.create('example.com', 'gadgets', { metadata: { name: `g${i}` } });
              outcomes.created++;
            } catch (error) {
              assert.ok([403, 404].includes((error as ApiError).code), String(error));
              outcomes.refused++;
            }
          }
        })();
        for (let i = 0; i < round; i++) await settle();
        await server.delete({ ...CRDS, name: 'gadgets.example.com' });
        await world.pass(5_000);
        await creating;
        assert.equal(await server.get({ ...CRDS, name: 'gadgets.example.com' }), undefined);
        assert.deepEqual(keys(), [], `round ${round}`);
      }
      assert.ok(outcomes.created > 20 && outcomes.refused > 20, JSON.stringify(outcomes));
    } finally {
      late.release();
      followed.stop();
    }
  }).timeout(60_000);
});
