import assert from 'node:assert/strict';
import { Running, World } from '../../test/support/world.ts';
import { LoopWriter } from '../writer.ts';
import { systemNamespacesLoop } from './system-namespaces-loop.ts';

describe('system namespaces loop', () => {
  it('creates missing namespaces, and recreates deleted ones', async () => {
    const world = new World();
    const server = await world.server();
    await server.namespace('default');
    const loop = systemNamespacesLoop(server.parts, new LoopWriter(server.parts), 'off');
    const running = new Running(server, loop);
    await world.pass(2_000);
    const names = (): string[] => [...world.store.stateAt(world.store.revision).keys()];
    const all = ['cluster-node-lease', 'cluster-public', 'cluster-system', 'default'];
    assert.deepEqual(
      names(),
      all.map((name) => `namespaces/${name}`),
    );
    const { item } = await world.store.get('namespaces/cluster-node-lease');
    await world.store.delete('namespaces/cluster-node-lease', item!.revision);
    await world.pass(2_000);
    assert.equal(names().length, 4);
    const before = world.store.revision;
    await world.pass(600_000);
    assert.equal(world.store.revision, before);
    await running.stop();
    await world.stop();
  });

  it('labels namespaces of a version before by their name, once', async () => {
    const world = new World();
    const server = await world.server();
    await server.namespace('team');
    const loop = systemNamespacesLoop(server.parts, new LoopWriter(server.parts), 'answered');
    const running = new Running(server, loop);
    await world.pass(2_000);
    for (const [, { value }] of world.store.stateAt(world.store.revision)) {
      const { labels, name } = JSON.parse(value.toString('utf8')).metadata;
      assert.equal(labels['kubernetes.io/metadata.name'], name);
    }
    const before = world.store.revision;
    await world.pass(600_000);
    assert.equal(world.store.revision, before);
    await running.stop();
    await world.stop();
  });
});
