import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import type { JsonObject } from '../../api/json.ts';
import { lagging, Running, World, type TestServer } from '../../test/support/world.ts';
import { GarbageLoop } from './garbage-loop.ts';

const LEASES = { group: 'coordination.cluster.io', resource: 'leases', namespace: 'a' };
const PREFIX = 'coordination.cluster.io/leases/a/';

describe('steps of the garbage loop', () => {
  let world: World;
  let server: TestServer;
  let running: Running | undefined;

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    await server.namespace('a');
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await world.stop();
  });

  async function lease(name: string, owner?: JsonObject): Promise<JsonObject> {
    const ownerReferences =
      owner === undefined
        ? []
        : [
            {
              apiVersion: owner['apiVersion']!,
              kind: owner['kind']!,
              name: (owner['metadata'] as JsonObject)['name']!,
              uid: (owner['metadata'] as JsonObject)['uid']!,
            },
          ];
    const value = { metadata: { name, namespace: 'a', ownerReferences } };
    return server.create(LEASES.group, LEASES.resource, value);
  }

  function alive(): string[] {
    return [...world.store.stateAt(world.store.revision).keys()]
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length));
  }

  it('forget nothing when they are interrupted', async () => {
    const owner = await lease('owner');
    for (let i = 0; i < 40; i++) await lease(`child${i}`, owner);
    running = new Running(server, new GarbageLoop(server.parts, 'test'));
    await world.pass(1_000);
    const plain = world.store.delete.bind(world.store);
    let waiting = 0;
    const silent: typeof server.parts.store.delete = (key, expected, { signal } = {}) => {
      if (!key.includes('child')) return plain(key, expected);
      waiting++;
      if (signal instanceof AbortSignal) setMaxListeners(64, signal);
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason ?? new Error('aborted'))),
      );
    };
    world.store.delete = silent;
    await server.delete({ ...LEASES, name: 'owner' });
    await world.pass(90_000);
    assert.ok(waiting > 0 && running.failures.length > 0, 'a step was given up');
    world.store.delete = plain;
    await world.pass(600_000);
    assert.deepEqual(alive(), []);
  });

  it('decide nothing by a replica that has not caught up', async () => {
    const { store, hold, release } = lagging(world.store);
    const behind = await world.server(store);
    running = new Running(behind, new GarbageLoop(behind.parts, 'test'));
    const owner = await lease('owner');
    await world.pass(1_000);
    // the loop sees the mark, and asks for the newest revision
    let answer = (): void => undefined;
    world.store.beforeProbe = () => new Promise((resolve) => (answer = resolve));
    await server.delete({ ...LEASES, name: 'owner' }, 'Orphan');
    hold();
    await lease('child', owner);
    world.store.beforeProbe = () => Promise.resolve();
    answer();
    await world.pass(30_000);
    release();
    await world.pass(30_000);
    assert.deepEqual(alive(), ['child'], 'its owner went without it');
  });
});
