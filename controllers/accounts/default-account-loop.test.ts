import assert from 'node:assert/strict';
import { Running, World, type TestServer } from '../../test/support/world.ts';
import { LoopWriter } from '../writer.ts';
import { defaultAccountLoop } from './default-account-loop.ts';

describe('default accounts loop', () => {
  let world: World;
  let server: TestServer;
  let running: Running;

  const accounts = (): string[] =>
    [...world.store.stateAt(world.store.revision).keys()].filter((key) =>
      key.startsWith('serviceaccounts/'),
    );

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    running = new Running(server, defaultAccountLoop(server.parts, new LoopWriter(server.parts)));
  });
  afterEach(async () => {
    await running.stop();
    await world.stop();
  });

  it('creates the account in every namespace, and recreates a deleted one', async () => {
    await server.namespace('a');
    await server.namespace('b');
    await world.pass(2_000);
    const all = ['serviceaccounts/a/default', 'serviceaccounts/b/default'];
    assert.deepEqual(accounts(), all);
    await world.removeNow('serviceaccounts/b/default');
    await world.pass(2_000);
    assert.deepEqual(accounts(), all);
    const before = world.store.revision;
    await world.pass(600_000);
    assert.equal(world.store.revision, before);
    assert.deepEqual(running.failures, []);
  });

  it('creates no account in a namespace that is being deleted', async () => {
    await server.namespace('a');
    await world.pass(2_000);
    await server.delete({ resource: 'namespaces', name: 'a' });
    await world.removeNow('serviceaccounts/a/default');
    await world.pass(120_000);
    assert.deepEqual(accounts(), []);
    assert.deepEqual(running.failures, []);
  });

  it('continues in the next step when there are more namespaces than one step may serve', async () => {
    for (let i = 0; i < 130; i++) await server.namespace(`n-${i}`);
    await world.pass(5_000);
    assert.equal(accounts().length, 130);
  });
});
