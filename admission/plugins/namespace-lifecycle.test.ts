import assert from 'node:assert/strict';
import type { ApiError } from '../../api/api-error.ts';
import { lagging, World } from '../../test/support/world.ts';

const LEASE = { metadata: { name: 'l', namespace: 'team' } };

describe('creation in a namespace', () => {
  let world: World;
  beforeEach(() => (world = new World()));
  afterEach(() => world.stop());

  it('that was recreated succeeds although a stale replica still shows its deleted predecessor', async () => {
    const server = await world.server();
    const { store, hold, release } = lagging(world.store);
    const behind = await world.server(store);
    await server.namespace('team');
    await server.delete({ resource: 'namespaces', name: 'team' });
    hold();
    await server.update({ resource: 'namespaces', name: 'team' }, (o) => (o.spec = {}), 'finalize');
    await server.namespace('team');
    try {
      await behind.create('coordination.cluster.io', 'leases', LEASE);
    } finally {
      release();
    }
  });

  it('that is being deleted is refused', async () => {
    const server = await world.server();
    await server.namespace('team');
    await server.delete({ resource: 'namespaces', name: 'team' });
    await assert.rejects(
      server.create('coordination.cluster.io', 'leases', LEASE),
      (error: ApiError) => error.code === 403,
    );
  });
});
