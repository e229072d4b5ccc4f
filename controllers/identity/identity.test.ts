import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { Running, World, type TestServer } from '../../test/support/world.ts';
import { LoopWriter } from '../writer.ts';
import { IdentityLoop } from './identity-loop.ts';
import { leaseGcLoop } from './lease-gc-loop.ts';

const LABEL = 'apiserver.cluster.io/identity';
const HOUR = 3_600_000;

describe('identity leases', () => {
  let world: World;
  let running: Running[];
  beforeEach(async () => {
    world = new World();
    running = [];
    await (await world.server()).namespace('cluster-system');
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
    await world.stop();
  });

  function keep(server: TestServer, holder: string, address: string): Running {
    const loop = new IdentityLoop(server.parts, { holder, address: () => address });
    const one = new Running(server, loop);
    running.push(one);
    return one;
  }
  const collect = (server: TestServer): void => {
    running.push(new Running(server, leaseGcLoop(server.parts, new LoopWriter(server.parts))));
  };
  function leases(): JsonObject[] {
    return [...world.store.stateAt(world.store.revision).values()]
      .filter(({ key }) => key.startsWith('coordination.cluster.io/leases/'))
      .map(({ value }) => JSON.parse(value.toString()) as JsonObject);
  }
  const holders = (): unknown[] =>
    leases().map(({ spec }) => (spec as JsonObject)['holderIdentity']);

  it('are kept by each server and renewed every ten seconds', async () => {
    const servers = [await world.server(), await world.server()];
    servers.forEach((server, i) => keep(server, `holder-${i}`, `host:${i}`));
    await world.pass(1_000);
    const before = leases();
    assert.deepEqual(holders().sort(), ['holder-0', 'holder-1']);
    for (const { metadata, spec } of before as Record<string, any>[]) {
      assert.match(metadata.name, /^apiserver-[0-9a-f]{26}$/);
      assert.equal(metadata.namespace, 'cluster-system');
      assert.equal(metadata.labels[LABEL], 'plinth');
      assert.equal(spec.leaseDurationSeconds, 3600);
    }
    await world.pass(10_000);
    const renewed = (list: JsonObject[]): string[] =>
      list.map(({ spec }) => (spec as { renewTime: string }).renewTime);
    renewed(leases()).forEach((time, i) => assert.ok(time > renewed(before)[i]!));
  });

  it('are replaced when they cannot be read', async () => {
    keep(await world.server(), 'holder', 'host');
    await world.pass(1_000);
    const [key = ''] = [...world.store.stateAt(world.store.revision).keys()].filter((one) =>
      one.startsWith('coordination.cluster.io/leases/'),
    );
    const { item } = await world.store.get(key);
    await world.store.update(key, Buffer.from('damaged'), item!.revision);
    await world.pass(30_000);
    assert.deepEqual(holders(), ['holder']);
  });

  it('are taken over by the server that follows at the same address', async () => {
    const server = await world.server();
    await keep(server, 'before', 'host:1').stop();
    running = [];
    keep(await world.server(), 'after', 'host:1');
    await world.pass(1_000);
    assert.deepEqual(holders(), ['after']);
  });

  it('come back when a client deletes them', async () => {
    const server = await world.server();
    keep(server, 'holder', 'host:1');
    await world.pass(1_000);
    const { name } = leases()[0]!['metadata'] as { name: string };
    const namespace = 'cluster-system';
    await server.delete({ group: 'coordination.cluster.io', resource: 'leases', namespace, name });
    await world.pass(10_100);
    assert.deepEqual(holders(), ['holder']);
  });

  it('are collected an hour after their server is gone, and not before', async () => {
    const [living, gone] = [await world.server(), await world.server()];
    keep(living, 'living', 'host:1');
    const end = keep(gone, 'gone', 'host:2');
    collect(living);
    await world.pass(60_000);
    running = running.filter((one) => one !== end);
    await end.stop();
    await world.pass(HOUR - 30_000);
    assert.deepEqual(holders().sort(), ['gone', 'living']);
    await world.pass(60_000);
    assert.deepEqual(holders(), ['living']);
  });

  it('are the only leases that are collected', async () => {
    const server = await world.server();
    const lease = (name: string, metadata: JsonObject, spec: JsonObject = {}): Promise<unknown> =>
      server.create('coordination.cluster.io', 'leases', {
        metadata: { name, namespace: 'cluster-system', ...metadata },
        spec: { holderIdentity: name, ...spec },
      });
    const labels = { [LABEL]: 'plinth' };
    await server.namespace('a');
    await lease('unlabelled', {});
    await lease('elsewhere', { labels, namespace: 'a' });
    await lease('of-others', { labels: { [LABEL]: 'another-kind' } });
    await lease('never-renewed', { labels });
    collect(server);
    await world.pass(1_000);
    assert.deepEqual(holders().sort(), ['elsewhere', 'of-others', 'unlabelled']);
  });

  it('of a server that renews at the last moment stay', async () => {
    const server = await world.server();
    const name = 'late';
    const target = { group: 'coordination.cluster.io', resource: 'leases', name };
    const namespace = 'cluster-system';
    await server.create(target.group, target.resource, {
      metadata: { name, namespace, labels: { [LABEL]: 'plinth' } },
      spec: { holderIdentity: name },
    });
    const plain = world.store.delete.bind(world.store);
    world.store.delete = async (key, expected) => {
      world.store.delete = plain;
      await server.update({ ...target, namespace }, (lease) => {
        lease.spec.renewTime = '2099-01-01T00:00:00.000000Z';
        lease.spec.leaseDurationSeconds = 3600;
      });
      return plain(key, expected);
    };
    collect(server);
    await world.pass(1_000);
    assert.deepEqual(holders(), ['late']);
  });
});
