import assert from 'node:assert/strict';
import { type ApiError, forbidden } from '../../api/api-error.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { encodeStored } from '../../storage/stored-bytes.ts';
import { lagging, Running, World, type TestServer } from '../../test/support/world.ts';
import { settle } from '../../test/support/fake-clock.ts';
import { NamespaceLoop } from './namespace-loop.ts';
import type { RemoteSurvey } from './remote-content.ts';

const LEASES = { group: 'coordination.cluster.io', resource: 'leases' };
const NAMESPACE = { resource: 'namespaces', name: 'team' };

interface Condition {
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
}

describe('namespace loop', () => {
  let world: World;
  let server: TestServer;
  let running: Running | undefined;

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    await server.namespace('team');
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await world.stop();
  });

  function run(remote?: RemoteSurvey): Running {
    const purge = remote && { purge: () => Promise.resolve(remote) };
    running = new Running(server, new NamespaceLoop(server.parts, purge));
    return running;
  }

  const lease = (name: string, metadata: JsonObject = {}, on = server): Promise<JsonObject> =>
    on.create(LEASES.group, 'leases', { metadata: { name, namespace: 'team', ...metadata } });

  const exists = async (): Promise<boolean> => (await server.get(NAMESPACE)) !== undefined;

  async function conditions(): Promise<Record<string, Condition>> {
    const list = getPath(
      await server.get(NAMESPACE),
      'status',
      'conditions',
    ) as unknown as (Condition & {
      type: string;
    })[];
    return Object.fromEntries(list.map(({ type, ...rest }) => [type, rest]));
  }

  const keysOf = (namespace: string): string[] =>
    [...world.store.stateAt(world.store.revision).keys()].filter((key) =>
      key.includes(`/${namespace}/`),
    );

  it('ignores namespaces that are not being deleted', async () => {
    await lease('a');
    run();
    const before = world.store.revision;
    await world.pass(3_600_000);
    assert.equal(world.store.revision, before);
  });

  it('removes everything in it, of every kind, and then the namespace', async () => {
    await lease('a');
    await server.create('rbac.authorization.cluster.io', 'roles', {
      metadata: { name: 'r', namespace: 'team' },
    });
    await server.namespace('other');
    await server.create(LEASES.group, 'leases', { metadata: { name: 'a', namespace: 'other' } });
    run();
    await world.pass(1_000);
    await server.delete(NAMESPACE);
    await world.pass(1_000);
    assert.equal(await exists(), false);
    assert.deepEqual(keysOf('team'), []);
    assert.deepEqual(keysOf('other'), ['coordination.cluster.io/leases/other/a']);
  });

  it('spares what is in another one of its name that has come meanwhile', async () => {
    const ROLES = { group: 'rbac.authorization.cluster.io', resource: 'roles' };
    const role = { metadata: { name: 'r', namespace: 'team' } };
    await lease('a');
    await server.create(ROLES.group, ROLES.resource, role);
    const first = `${LEASES.group}/leases/team/a`;
    // while the first object goes, another client finishes the namespace and creates it again
    const isMadeAgain = world.beforeDeletion(first, async () => {
      await world.removeNow(`${ROLES.group}/${ROLES.resource}/team/r`);
      await world.removeNow(first);
      await world.removeNow('namespaces/team');
      await server.namespace('team');
      await server.create(ROLES.group, ROLES.resource, role);
    });
    run();
    await world.pass(1_000);
    await server.delete(NAMESPACE);
    await world.pass(10_000);
    assert.ok(isMadeAgain());
    assert.equal(await exists(), true);
    assert.deepEqual(keysOf('team'), [`${ROLES.group}/${ROLES.resource}/team/r`]);
  });

  it('ignores a namespace that is created again before its turn', async () => {
    await lease('a');
    await server.namespace('zone');
    const other = { metadata: { name: 'l', namespace: 'zone' } };
    // while the first namespace is emptied, another client finishes the second one and creates it again
    const isMadeAgain = world.beforeDeletion(`${LEASES.group}/leases/team/a`, async () => {
      await world.removeNow('namespaces/zone');
      await server.namespace('zone');
      await server.create(LEASES.group, LEASES.resource, other);
    });
    for (const name of ['team', 'zone']) await server.delete({ resource: 'namespaces', name });
    run();
    await world.pass(10_000);
    assert.ok(isMadeAgain());
    assert.equal(await exists(), false);
    assert.deepEqual(keysOf('zone'), ['coordination.cluster.io/leases/zone/l']);
  });

  it('reports success conditions before the namespace is removed', async () => {
    await server.namespace('held', { finalizers: ['example.com/backup'] });
    run();
    await server.delete({ resource: 'namespaces', name: 'held' });
    await world.pass(1_000);
    const held = (await server.get({ resource: 'namespaces', name: 'held' }))!;
    assert.deepEqual(getPath(held, 'spec', 'finalizers'), ['example.com/backup']);
    const told = (getPath(held, 'status', 'conditions') as JsonObject[]).map((condition) =>
      ['type', 'status', 'reason'].map((key) => condition[key] as string).join(' '),
    );
    assert.deepEqual(told, [
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions',
      'NamespaceDeletionContentFailure False ContentDeleted',
      'NamespaceContentRemaining False ContentRemoved',
      'NamespaceFinalizersRemaining False ContentHasNoFinalizers',
    ]);
    const before = world.store.revision;
    await world.pass(3_600_000);
    assert.equal(world.store.revision, before, 'waiting writes nothing');
  });

  it('names the objects and finalizers that block, and continues when they are gone', async () => {
    await lease('a', { finalizers: ['example.com/hold', 'example.com/other'] });
    await lease('b', { finalizers: ['example.com/hold'] });
    await lease('c');
    run();
    await server.delete(NAMESPACE);
    await world.pass(1_000);
    const waiting = await conditions();
    assert.equal(
      waiting['NamespaceContentRemaining']!.message,
      'Some resources are remaining: leases.coordination.cluster.io has 2 resource instances',
    );
    assert.equal(waiting['NamespaceContentRemaining']!.reason, 'SomeResourcesRemain');
    const { status, reason, message } = waiting['NamespaceFinalizersRemaining']!;
    assert.deepEqual([status, reason], ['True', 'SomeFinalizersRemain']);
    assert.equal(
      message,
      'Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances, ' +
        'example.com/other in 1 resource instances. They are: ' +
        'example.com/hold: leases.coordination.cluster.io/a, leases.coordination.cluster.io/b; ' +
        'example.com/other: leases.coordination.cluster.io/a',
    );
    assert.equal(waiting['NamespaceDeletionContentFailure']!.status, 'False');
    const marked = (await server.get({ ...LEASES, namespace: 'team', name: 'a' }))!;
    assert.ok(getPath(marked, 'metadata', 'deletionTimestamp') !== undefined);

    const before = world.store.revision;
    await world.pass(3_600_000);
    assert.equal(world.store.revision, before, 'waiting writes nothing');
    const release = (name: string): Promise<unknown> =>
      server.update({ ...LEASES, namespace: 'team', name }, (o) => delete o.metadata.finalizers);
    await release('a');
    await world.pass(200);
    const later = await conditions();
    assert.match(
      later['NamespaceFinalizersRemaining']!.message,
      /hold in 1 resource instances\. They are: example.com\/hold: leases.coordination.cluster.io\/b$/,
    );
    assert.equal(
      later['NamespaceFinalizersRemaining']!.lastTransitionTime,
      waiting['NamespaceFinalizersRemaining']!.lastTransitionTime,
      'the status has not changed',
    );
    await release('b');
    await world.pass(200);
    assert.equal(await exists(), false);
  });

  it('removes the finalizers of garbage collection, so that it does not wait', async () => {
    await lease('a', { finalizers: ['orphan'] });
    await lease('b', { finalizers: ['foregroundDeletion'] });
    run();
    await server.delete(NAMESPACE);
    await world.pass(1_000);
    assert.equal(await exists(), false);
  });

  it('finishes what a server left that died between its two writes', async () => {
    await lease('a', { finalizers: ['example.com/hold'] });
    await server.delete({ ...LEASES, namespace: 'team', name: 'a' });
    // the write that took the last finalizer off, without the removal that follows it
    const key = 'coordination.cluster.io/leases/team/a';
    const { item } = await world.store.get(key);
    const half = JSON.parse(item!.value.toString());
    delete half.metadata.finalizers;
    await world.store.update(key, encodeStored(half), item!.revision);
    await server.delete(NAMESPACE);
    // the same for the namespace
    await server.namespace('half');
    await server.update(
      { resource: 'namespaces', name: 'half' },
      (o) => (o.metadata.finalizers = ['example.com/x']),
    );
    await server.delete({ resource: 'namespaces', name: 'half' });
    const found = await world.store.get('namespaces/half');
    const namespace = JSON.parse(found.item!.value.toString());
    delete namespace.metadata.finalizers;
    namespace.spec = {};
    await world.store.update('namespaces/half', encodeStored(namespace), found.item!.revision);
    run();
    await world.pass(1_000);
    assert.equal(await exists(), false);
    assert.deepEqual(keysOf('team'), []);
    assert.equal(await server.get({ resource: 'namespaces', name: 'half' }), undefined);
  });

  it('an object that cannot be read does not hold its namespace', async () => {
    await lease('a');
    await world.store.create('coordination.cluster.io/leases/team/b', Buffer.from('{"metadata"'));
    await settle();
    await server.delete(NAMESPACE);
    run();
    await world.pass(1_000);
    assert.equal(await exists(), false);
    assert.deepEqual(keysOf('team'), []);
  });

  it('does a bounded part at a time', async () => {
    for (let i = 0; i < 700; i++) {
      const metadata = { name: `l${i}`, namespace: 'team' };
      const value = encodeStored({
        apiVersion: 'coordination.cluster.io/v1',
        kind: 'Lease',
        metadata: { ...metadata, uid: `u${i}` },
      });
      await world.store.create(`coordination.cluster.io/leases/team/l${i}`, value);
    }
    await settle();
    await server.delete(NAMESPACE);
    const loop = new NamespaceLoop(server.parts);
    loop.reset();
    const signal = new AbortController().signal;
    const first = await loop.step(signal);
    assert.equal(first.again, true);
    assert.equal(keysOf('team').length, 200);
    const second = await loop.step(signal);
    assert.equal(second.again, undefined);
    assert.equal(await exists(), false);
  }).timeout(60_000);

  it('reports refused deletions, and retries with increasing delays', async () => {
    await lease('a');
    let asked = 0;
    const admission = {
      handles: () => true,
      mutate: () => Promise.resolve(),
      validate: () => {
        asked++;
        return Promise.reject(forbidden({ group: '', resource: 'leases' }, 'a', 'not on a Sunday'));
      },
    };
    server.parts = { ...server.parts, admission: admission as never };
    const refusing = new NamespaceLoop(server.parts);
    server.parts = { ...server.parts, admission: server.plainAdmission };
    running = new Running(server, refusing);
    await server.delete(NAMESPACE);
    await world.pass(1_000);
    admission.validate = ((request: { resource: { resource: string } }) => {
      if (request.resource.resource === 'namespaces') return Promise.resolve();
      asked++;
      return Promise.reject(forbidden({ group: '', resource: 'leases' }, 'a', 'not on a Sunday'));
    }) as never;
    await world.pass(60_000);
    const { NamespaceDeletionContentFailure: failure } = await conditions();
    assert.equal(failure!.status, 'True');
    assert.equal(failure!.reason, 'ContentDeletionFailed');
    assert.match(
      failure!.message,
      /^Failed to delete all resource types, 1 remaining: .*not on a Sunday/,
    );
    const before = asked;
    await world.pass(600_000);
    assert.ok(asked - before <= 11, `${asked - before} attempts in ten minutes`);
    assert.ok(await exists());
    admission.validate = () => Promise.resolve() as never;
    await world.pass(61_000);
    assert.equal(await exists(), false);
  });

  describe('content that this server does not serve', () => {
    const put = async (key: string, metadata: JsonObject): Promise<void> => {
      await world.store.create(key, encodeStored({ apiVersion: 'v1', kind: 'X', metadata }));
      await settle();
    };

    it('of a CRD holds the namespace until the CRD is served', async () => {
      await put('example.com/gadgets/team/g', { name: 'g', namespace: 'team', uid: 'g' });
      await put('apiextensions.cluster.io/customresourcedefinitions/gadgets.example.com', {
        name: 'gadgets.example.com',
        uid: 'crd',
      });
      run();
      await server.delete(NAMESPACE);
      await world.pass(1_000);
      const { NamespaceDeletionDiscoveryFailure: failure } = await conditions();
      assert.deepEqual([failure!.status, failure!.reason], ['True', 'DiscoveryFailed']);
      assert.match(failure!.message, /gadgets\.example\.com/);
      assert.ok(await exists());
    });

    it('of a group of the project is left to servers that know it', async () => {
      await put('coordination.cluster.io/newthings/team/g', {
        name: 'g',
        namespace: 'team',
        uid: 'g',
      });
      run();
      await server.delete(NAMESPACE);
      await world.pass(600_000);
      assert.ok(await exists());
    });

    it('without a CRD is removed, because clients cannot see or finalize it', async () => {
      await put('example.com/gadgets/team/g', { name: 'g', namespace: 'team', uid: 'g' });
      run();
      await server.delete(NAMESPACE);
      await world.pass(1_000);
      assert.equal(await exists(), false);
      assert.deepEqual(keysOf('team'), []);
    });
  });

  describe('content on other servers', () => {
    it('on an unreachable server is reported and blocks no other content', async () => {
      await server.update(
        NAMESPACE,
        (o) => (o.spec.finalizers = ['cluster', 'example.com/x']),
        'finalize',
      );
      run({ unavailable: ['metrics.example.com/v1: no answer'], failures: [], remaining: [] });
      await server.delete(NAMESPACE);
      await world.pass(1_000);
      assert.deepEqual(getPath(await server.get(NAMESPACE), 'spec', 'finalizers'), [
        'example.com/x',
      ]);
      const { NamespaceDeletionDiscoveryFailure: failure } = await conditions();
      assert.match(failure!.message, /metrics\.example\.com\/v1: no answer/);
    });

    it('that remains blocks the namespace', async () => {
      run({
        unavailable: [],
        failures: [],
        remaining: [{ resource: 'pods.metrics.example.com', count: 3 }],
      });
      await server.delete(NAMESPACE);
      await world.pass(600_000);
      assert.match(
        (await conditions())['NamespaceContentRemaining']!.message,
        /pods\.metrics\.example\.com has 3 resource instances/,
      );
    });
  });

  describe('a create on a server that has not heard of the deletion', () => {
    it('is refused as on any other', async () => {
      const late = lagging(world.store);
      const behind = await world.server(late.store);
      late.hold();
      await server.delete(NAMESPACE);
      await assert.rejects(lease('late', {}, behind), (error: ApiError) => {
        assert.equal(error.code, 403);
        assert.equal(error.status.details!.causes![0]!.reason, 'NamespaceTerminating');
        return true;
      });
      run();
      await world.pass(1_000);
      assert.equal(await exists(), false);
      await assert.rejects(lease('late', {}, behind), (error: ApiError) => error.code === 404);
      late.release();
    });

    it('succeeds in a namespace that was only labelled meanwhile', async () => {
      const late = lagging(world.store);
      const behind = await world.server(late.store);
      late.hold();
      await server.update(NAMESPACE, (o) => (o.metadata.labels.seen = 'yes'));
      await lease('late', {}, behind);
      late.release();
    });

    it('never leaves anything behind, however creates and the emptying interleave', async () => {
      const late = lagging(world.store);
      const behind = await world.server(late.store);
      const outcomes = { created: 0, refused: 0 };
      for (let round = 0; round < 20; round++) {
        late.release();
        await settle();
        if (round > 0) await server.namespace('team');
        await settle();
        late.hold();
        const loop = new NamespaceLoop(server.parts);
        loop.reset();
        const creating = (async () => {
          for (let i = 0; i < 30; i++) {
            try {
              await lease(`l${i}`, {}, i % 2 === 0 ? behind : server);
              outcomes.created++;
            } catch (error) {
              assert.ok([403, 404].includes((error as ApiError).code), String(error));
              outcomes.refused++;
            }
          }
        })();
        for (let i = 0; i < round; i++) await settle();
        await server.delete(NAMESPACE);
        for (let i = 0; i < 50 && (await exists()); i++) {
          await loop.step(new AbortController().signal);
          await world.pass(500);
        }
        await creating;
        assert.equal(await exists(), false);
        assert.deepEqual(keysOf('team'), [], `round ${round}`);
      }
      assert.ok(outcomes.created > 20 && outcomes.refused > 20, JSON.stringify(outcomes));
      late.release();
    }).timeout(60_000);
  });
});
