import assert from 'node:assert/strict';
import { AdmissionChain, type AdmissionPlugin } from '../../admission/chain.ts';
import { forbidden } from '../../api/api-error.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import type { PropagationPolicy } from '../../registry/delete-options.ts';
import { Entry } from '../../watch/entry.ts';
import { Running, World, type ObjectName, type TestServer } from '../../test/support/world.ts';
import { GarbageLoop } from './garbage-loop.ts';

const LEASE = { group: 'coordination.cluster.io', resource: 'leases', namespace: 'a' };
const NODE = { resource: 'nodes' };

describe('garbage loop', () => {
  let world: World;
  let server: TestServer;
  let running: Running | undefined;

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    await server.namespace('a');
    await server.namespace('b');
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await world.stop();
  });

  function run(): void {
    running = new Running(server, new GarbageLoop(server.parts, 'test'));
  }

  type Owner = JsonObject & { metadata: JsonObject };

  async function lease(
    name: string,
    owners: (Owner | JsonObject)[] = [],
    metadata: JsonObject = {},
    namespace = 'a',
  ): Promise<Owner> {
    const ownerReferences = owners.map((owner) =>
      'metadata' in owner ? reference(owner as Owner) : owner,
    );
    const value = { metadata: { name, namespace, ownerReferences, ...metadata } };
    return (await server.create(LEASE.group, LEASE.resource, value)) as Owner;
  }
  async function node(name: string, owners: JsonObject[] = []): Promise<Owner> {
    return (await server.create('', 'nodes', {
      metadata: { name, ownerReferences: owners },
    })) as Owner;
  }

  function reference(owner: Owner, more: JsonObject = {}): JsonObject {
    const { apiVersion, kind, metadata } = owner;
    return {
      apiVersion: apiVersion!,
      kind: kind!,
      name: metadata['name']!,
      uid: metadata['uid']!,
      ...more,
    };
  }
  const blocking = (owner: Owner): JsonObject => reference(owner, { blockOwnerDeletion: true });

  const named = (name: string, namespace = 'a'): ObjectName => ({ ...LEASE, namespace, name });
  const remove = (name: string, propagation?: PropagationPolicy): Promise<void> =>
    server.delete(named(name), propagation);

  function alive(prefix = 'coordination.cluster.io/leases/'): string[] {
    return [...world.store.stateAt(world.store.revision).keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length).replace(/^a\//, ''));
  }

  async function owners(name: string): Promise<string[]> {
    const list = getPath(await server.get(named(name)), 'metadata', 'ownerReferences');
    return ((list ?? []) as JsonObject[]).map((owner) => owner['name'] as string);
  }

  interface Told {
    namespace: string;
    reason: string;
    regarding: string;
    note: string;
  }
  function events(): Told[] {
    const prefix = 'events.cluster.io/events/';
    return [...world.store.stateAt(world.store.revision).values()]
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, value, revision }) => {
        const entry = Entry.fromStored(key.slice(prefix.length), value, revision);
        const object = entry.object();
        return {
          namespace: entry.namespace,
          reason: object['reason'] as string,
          regarding: getPath(object, 'regarding', 'name') as string,
          note: object['note'] as string,
        };
      });
  }

  it('keeps dependents of an owner that a restored backup has brought back', async () => {
    await lease('owned', [await lease('owner')], { finalizers: ['example.com/held'] });
    run();
    await world.pass(1_000);
    const backup = world.store.revision;
    await remove('owner');
    await world.pass(10_000);
    assert.ok(getPath(await server.get(named('owned')), 'metadata', 'deletionTimestamp'));
    world.store.restore(backup);
    await world.pass(60_000);
    assert.deepEqual(alive(), ['owned', 'owner']);
    const mark = getPath(await server.get(named('owned')), 'metadata', 'deletionTimestamp');
    assert.equal(mark, undefined);
  });

  it('releases every dependent except the one that cannot be changed', async () => {
    const owner = await lease('owner');
    for (const name of ['aaa', 'bbb', 'ccc']) await lease(name, [owner]);
    await remove('owner', 'Orphan');
    const refusing: AdmissionPlugin = {
      name: 'stubborn',
      handles: (operation, { name }) => operation === 'UPDATE' && name === 'aaa',
      validate: ({ name }) => Promise.reject(forbidden({ group: '', resource: 'x' }, name, 'no')),
    };
    server.parts = { ...server.parts, admission: new AdmissionChain([refusing]) };
    run();
    await world.pass(60_000);
    assert.deepEqual(alive(), ['aaa', 'bbb', 'ccc', 'owner']);
    assert.deepEqual(await owners('aaa'), ['owner']);
    for (const name of ['bbb', 'ccc']) assert.deepEqual(await owners(name), []);
  });

  it('breaks a cycle of objects that all wait for each other', async () => {
    const names = ['one', 'two', 'three'];
    for (const name of names) await lease(name);
    for (const [i, name] of names.entries()) {
      const owner = (await server.get(named(names[(i + 1) % names.length]!))) as Owner;
      await server.update(named(name), (object) => {
        object.metadata.ownerReferences = [blocking(owner)];
      });
    }
    const held = await lease('held', [], { finalizers: ['example.com/held'] });
    await server.update(named('held'), (object) => {
      object.metadata.ownerReferences = [blocking(held)];
    });
    for (const name of [...names, 'held']) await remove(name, 'Foreground');
    run();
    await world.pass(60_000);
    assert.deepEqual(alive(), ['held']);
    const left = getPath(await server.get(named('held')), 'metadata', 'finalizers');
    assert.deepEqual(left, ['example.com/held'], 'it waits for others only');
  });

  it('ignores objects without owners or with living owners, and writes nothing', async () => {
    const owner = await lease('owner');
    await lease('free');
    await lease('owned', [owner, blocking(await node('n'))]);
    run();
    const before = world.store.revision;
    await world.pass(3_600_000);
    assert.equal(world.store.revision, before);
  });

  it('deletes what an owner leaves behind, all the way down', async () => {
    const owner = await lease('owner');
    const child = await lease('child', [owner]);
    await lease('grandchild', [child]);
    const other = await lease('other');
    await lease('adopted', [owner, other]);
    run();
    await world.pass(1_000);
    await remove('owner');
    await world.pass(2_000);
    assert.deepEqual(alive(), ['adopted', 'other']);
    assert.deepEqual(await owners('adopted'), ['other'], 'the reference to nothing is gone');
  });

  it('finds at its start dependents that lost their owner while it was stopped', async () => {
    const owner = await lease('owner');
    const child = await lease('child', [owner]);
    await lease('grandchild', [child]);
    await remove('owner');
    run();
    await world.pass(1_000);
    assert.deepEqual(alive(), []);
  });

  it('goes by uid: another object of the same name is not the owner', async () => {
    const owner = await lease('owner');
    await lease('child', [owner]);
    await remove('owner');
    await lease('owner');
    run();
    await world.pass(1_000);
    assert.deepEqual(alive(), ['owner']);
  });

  it('foreground: the owner waits for its blocking dependents, and theirs', async () => {
    const owner = await lease('owner');
    const child = await lease('child', [blocking(owner)], { finalizers: ['example.com/hold'] });
    await lease('grandchild', [blocking(child)]);
    await lease('loose', [owner]);
    run();
    await remove('owner', 'Foreground');
    await world.pass(2_000);
    assert.deepEqual(alive(), ['child', 'owner'], 'the child is held by a finalizer of its own');
    await server.update(named('child'), (o) => delete o.metadata.finalizers);
    await world.pass(1_000);
    assert.deepEqual(alive(), []);
  });

  it('foreground: dependents with another owner stay and stop blocking', async () => {
    const owner = await lease('owner');
    const other = await lease('other');
    await lease('child', [blocking(owner), reference(other)]);
    run();
    await remove('owner', 'Foreground');
    await world.pass(2_000);
    assert.deepEqual(alive(), ['child', 'other']);
    assert.deepEqual(await owners('child'), ['other']);
  });

  it('foreground: two that block each other go together', async () => {
    const first = await lease('first');
    const second = await lease('second', [blocking(first)]);
    await server.update(named('first'), (o) => (o.metadata.ownerReferences = [blocking(second)]));
    run();
    await world.pass(1_000);
    assert.deepEqual(alive(), ['first', 'second'], 'a cycle alone does not delete them');
    await remove('first', 'Foreground');
    await world.pass(3_000);
    assert.deepEqual(alive(), []);
  });

  it('orphan: dependents lose the reference and stay', async () => {
    const owner = await lease('owner');
    const other = await lease('other');
    await lease('child', [owner]);
    await lease('shared', [owner, other]);
    run();
    await remove('owner', 'Orphan');
    await world.pass(2_000);
    assert.deepEqual(alive(), ['child', 'other', 'shared']);
    assert.deepEqual(await owners('child'), []);
    assert.deepEqual(await owners('shared'), ['other']);
  });

  it('orphan: a hundred and more of them', async () => {
    const owner = await lease('owner');
    for (let i = 0; i < 130; i++) await lease(`child${i}`, [owner]);
    run();
    await remove('owner', 'Orphan');
    await world.pass(10_000);
    assert.equal(alive().length, 130);
    assert.deepEqual(await owners('child129'), []);
  }).timeout(60_000);

  it('owners may be of cluster scope', async () => {
    const owner = await node('owner');
    await lease('child', [owner]);
    await node('dependent', [reference(owner)]);
    run();
    await server.delete({ ...NODE, name: 'owner' });
    await world.pass(1_000);
    assert.deepEqual(alive(), []);
    assert.deepEqual(alive('nodes/'), []);
  });

  it('an owner in another namespace is reported, and its dependent left alone', async () => {
    const owner = await lease('owner', [], {}, 'b');
    await lease('child', [owner]);
    run();
    await world.pass(600_000);
    assert.deepEqual(alive(), ['child', 'b/owner']);
    assert.deepEqual(
      events().map(({ namespace, reason, regarding }) => [namespace, reason, regarding]),
      [['a', 'OwnerRefInvalidNamespace', 'child']],
    );
    assert.match(events()[0]!.note, /name: owner.* does not exist in namespace "a"/);
  });

  it('a namespaced owner of a cluster-scoped object is reported, once, also after a restart', async () => {
    await server.namespace('default');
    const owner = await lease('owner');
    await node('child', [reference(owner)]);
    run();
    await world.pass(10_000);
    await running!.stop();
    run();
    await world.pass(10_000);
    await remove('owner');
    await world.pass(10_000);
    assert.deepEqual(alive('nodes/'), ['child']);
    const told = events();
    assert.deepEqual(
      told.map(({ namespace, regarding }) => [namespace, regarding]),
      [['default', 'child']],
    );
  });

  it('keeps dependents whose owner is of a kind that is not served', async () => {
    const unknown = { apiVersion: 'example.com/v1', kind: 'Gadget', name: 'g', uid: 'gone' };
    await lease('child', [unknown]);
    run();
    await world.pass(600_000);
    assert.deepEqual(alive(), ['child']);
  });

  it('deletes dependents of a missing owner once the kind of the owner is served', async () => {
    const unknown = { apiVersion: 'example.com/v1', kind: 'Gadget', name: 'g', uid: 'gone' };
    await lease('child', [unknown]);
    await lease('other', [await lease('owner')]);
    run();
    await world.pass(1_000);
    const { definition } = server.resource(LEASE.group, LEASE.resource);
    const names = { ...definition.names, plural: 'gadgets', kind: 'Gadget' };
    const gadgets = { ...definition, group: 'example.com', names, builtin: false };
    server.parts.catalog.changeCustom(new Map([['gadgets.example.com', gadgets]]));
    await world.pass(1_000);
    assert.deepEqual(alive(), ['other', 'owner']);
  });

  it('reads references in any version, so a removed version deletes no dependents', async () => {
    const owner = await lease('owner');
    const { apiVersion: _, ...rest } = reference(owner);
    await lease('child', [{ apiVersion: 'coordination.cluster.io/v1beta1', ...rest }]);
    run();
    await world.pass(60_000);
    assert.deepEqual(alive(), ['child', 'owner']);
  });

  it('knows an owner by the alias of its group', async () => {
    const owner = await lease('owner');
    const { apiVersion: _, ...rest } = reference(owner);
    const named = { apiVersion: 'coordination.k8s.io/v1', ...rest };
    await lease('child', [named]);
    await lease('orphan', [{ ...named, uid: 'gone' }]);
    run();
    await world.pass(60_000);
    assert.deepEqual(alive(), ['child', 'owner']);
  });

  it('does not judge by an owner that cannot be read', async () => {
    const owner = await lease('owner');
    await lease('child', [owner]);
    const key = 'coordination.cluster.io/leases/a/owner';
    const { item } = await world.store.get(key);
    await world.store.update(key, Buffer.from('damaged'), item!.revision);
    run();
    await world.pass(60_000);
    assert.deepEqual(alive(), ['child', 'owner']);
  });

  it('never deletes an object that was given an owner at the last moment', async () => {
    const owner = await lease('owner');
    await lease('child', [owner]);
    const other = await lease('other');
    await remove('owner');
    // between the look at the child and its deletion
    const plain = world.store.delete.bind(world.store);
    let interfered = false;
    world.store.delete = async (key, expected) => {
      if (key.endsWith('/child') && !interfered) {
        interfered = true;
        await server.update(named('child'), (o) =>
          o.metadata.ownerReferences.push(reference(other)),
        );
      }
      return plain(key, expected);
    };
    run();
    await world.pass(2_000);
    assert.ok(interfered);
    assert.deepEqual(alive(), ['child', 'other']);
    assert.deepEqual(await owners('child'), ['other']);
  });

  it('tries refused deletions again, later and later, and goes on with the others', async () => {
    const owner = await lease('owner');
    await lease('stubborn', [owner]);
    await lease('other', [owner]);
    let refused = 0;
    const plain = world.store.delete.bind(world.store);
    world.store.delete = (key, expected) => {
      if (!key.endsWith('/stubborn')) return plain(key, expected);
      refused++;
      return Promise.reject(new Error('no'));
    };
    run();
    await remove('owner');
    await world.pass(3_600_000);
    assert.deepEqual(alive(), ['stubborn']);
    assert.ok(refused > 5 && refused < 30, `${refused} attempts in an hour`);
    world.store.delete = plain;
    await world.pass(300_000);
    assert.deepEqual(alive(), []);
  });
});
