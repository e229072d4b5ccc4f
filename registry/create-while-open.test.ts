import assert from 'node:assert/strict';
import type { ApiError } from '../api/api-error.ts';
import type { JsonObject } from '../api/json.ts';
import { crdNamesLoop } from '../controllers/crd-names-loop.ts';
import { LoopWriter } from '../controllers/writer.ts';
import type { CreateOptions, Store } from '../storage/interface.ts';
import { lagging, Running, World, type TestServer } from '../test/support/world.ts';
import { CustomResources } from './custom-resources.ts';
import { CRD_PREFIX, NAMESPACES_PREFIX } from './prefixes.ts';

const CRDS = { group: 'apiextensions.cluster.io', resource: 'customresourcedefinitions' };
const DEFINITION = { ...CRDS, name: 'gadgets.example.com' };
const DEFINITION_KEY = CRD_PREFIX + DEFINITION.name;

/** What a create asks of a store. */
class Counted {
  creates: string[][] = [];
  reads: string[] = [];
  beforeCreate: () => Promise<unknown> = () => Promise.resolve();
  readonly store: Store;

  constructor(store: Store) {
    const create: Store['create'] = async (key, value, options: CreateOptions = {}) => {
      await this.beforeCreate();
      this.creates.push((options.guards ?? []).map((guard) => guard.key));
      return store.create(key, value, options);
    };
    const get: Store['get'] = (key, options) => {
      this.reads.push(key);
      return store.get(key, options);
    };
    this.store = new Proxy(store, {
      get(target, property): unknown {
        if (property === 'create') return create;
        if (property === 'get') return get;
        const member: unknown = Reflect.get(target, property);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }

  forget(): void {
    this.creates = [];
    this.reads = [];
  }
}

describe('a create while what it needs is open', () => {
  let world: World;
  let server: TestServer;
  let behind: TestServer;
  let late: ReturnType<typeof lagging>;
  let counted: Counted;
  let stops: (() => void)[];
  let names: Running;

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    late = lagging(world.store);
    counted = new Counted(late.store);
    behind = await world.server(counted.store);
    stops = [server, behind].map(({ parts: { catalog, reader } }) => {
      const custom = new CustomResources({ replica: reader.replica, catalog });
      return () => custom.stop();
    });
    names = new Running(server, crdNamesLoop(server.parts, new LoopWriter(server.parts)));
    const schema = { openAPIV3Schema: { type: 'object' } };
    await server.namespace('team');
    await server.create(CRDS.group, CRDS.resource, {
      metadata: { name: DEFINITION.name },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await world.pass(1_000);
    counted.forget();
  });
  afterEach(async () => {
    late.release();
    await names.stop();
    for (const stop of stops) stop();
    await world.stop();
  });

  const gadget = (name: string): Promise<JsonObject> =>
    behind.create('example.com', 'gadgets', { metadata: { name, namespace: 'team' } });
  const touch = (value: string): Promise<unknown> =>
    server.update(DEFINITION, (o) => (o.metadata.labels = { seen: value }));

  it('costs one transaction and no read, whatever is created', async () => {
    await gadget('one');
    assert.deepEqual(counted.creates, [[DEFINITION_KEY, NAMESPACES_PREFIX + 'team']]);
    assert.deepEqual(counted.reads, []);
    counted.forget();
    await behind.create('coordination.cluster.io', 'leases', {
      metadata: { name: 'one', namespace: 'team' },
    });
    await behind.namespace('other');
    assert.deepEqual(counted.creates, [[NAMESPACES_PREFIX + 'team'], []]);
    assert.deepEqual(counted.reads, []);
  });

  it('re-reads a changed definition once, not for every object', async () => {
    late.hold();
    await touch('yes');
    await gadget('one');
    assert.equal(counted.creates.length, 2);
    assert.deepEqual(counted.reads, [DEFINITION_KEY]);
    counted.forget();
    await gadget('two');
    assert.equal(counted.creates.length, 1);
    assert.deepEqual(counted.reads, []);
    late.release();
    await world.pass(1_000);
    counted.forget();
    await gadget('three');
    assert.equal(counted.creates.length, 1);
  });

  describe('and its schema changes before the object is stored', () => {
    const restrict = (): Promise<unknown> =>
      server.update(DEFINITION, (o) => {
        const { versions } = o.spec;
        versions[0].schema.openAPIV3Schema = {
          type: 'object',
          required: ['size'],
          properties: { size: { type: 'integer' } },
        };
      });
    const refused = async (created: Promise<unknown>): Promise<void> => {
      await assert.rejects(created, (error: ApiError) => {
        assert.equal(error.code, 422);
        assert.match(error.message, /size: Required value/);
        return true;
      });
    };

    it('is judged again by the new schema, also on a server that has not seen it yet', async () => {
      late.hold();
      counted.beforeCreate = async () => {
        counted.beforeCreate = () => Promise.resolve();
        await restrict();
        setImmediate(() => late.release());
      };
      await refused(gadget('one'));
    });

    it('is judged again when this server has seen the change already', async () => {
      const forStorage = behind.parts.views.forStorage.bind(behind.parts.views);
      let seen = false;
      behind.parts.views.forStorage = async (...args) => {
        if (!seen) {
          seen = true;
          await restrict();
          await world.pass(1_000);
        }
        return forStorage(...args);
      };
      await refused(gadget('one'));
    });
  });

  it('is refused as a dry run, too, where a create would be', async () => {
    const preview = (): Promise<JsonObject> =>
      behind.create(
        'example.com',
        'gadgets',
        { metadata: { name: 'one', namespace: 'team' } },
        { dryRun: true },
      );
    await preview();
    assert.deepEqual(counted.creates, [], 'nothing is written');
    late.hold();
    await server.update(DEFINITION, (o) => (o.metadata.finalizers = ['example.com/hold']));
    await server.delete(DEFINITION);
    await assert.rejects(preview(), (error: ApiError) => {
      assert.equal(error.code, 403);
      assert.match(error.message, /while custom resource definition is terminating/);
      return true;
    });
  });

  it('fails when the definition keeps changing', async () => {
    late.hold();
    let changes = 0;
    counted.beforeCreate = () => touch(String(++changes));
    await assert.rejects(gadget('one'), (error: ApiError) => {
      assert.equal(error.code, 409);
      assert.match(error.message, /the definition gadgets\.example\.com keeps changing/);
      return true;
    });
    assert.equal(counted.creates.length, 20);
  });
});
