import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { World } from '../../test/support/world.ts';
import { settle } from '../../test/support/fake-clock.ts';
import { ApiServices } from './api-services.ts';

const GROUP = 'apiregistration.cluster.io';

describe('APIServices', () => {
  it('lead to no other server under a name of a group of this one, also those that were stored before it was reserved', async () => {
    const world = new World();
    const server = await world.server();
    const { store } = world;
    const services = new ApiServices({
      replica: server.parts.reader.replica,
      isBuiltin: () => false,
      onProblem: (message) => assert.fail(message),
    });
    await server.create(GROUP, 'apiservices', {
      metadata: { name: 'v1.metrics.example.com' },
      spec: {
        ...{ group: 'metrics.example.com', version: 'v1' },
        ...{ groupPriorityMinimum: 1, versionPriority: 1 },
        service: { namespace: 'default', name: 'other' },
      },
    });
    const prefix = `${GROUP}/apiservices/v1.`;
    const { item } = await store.get(`${prefix}metrics.example.com`);
    for (const group of ['rbac.authorization.k8s.io', 'networking.k8s.io']) {
      const text = item!.value.toString().replaceAll('metrics.example.com', group);
      await store.create(prefix + group, Buffer.from(text));
    }
    await world.pass(100);
    await settle();
    const remotes = [...services.list()].map(({ group, remote }) => [group, remote !== undefined]);
    assert.deepEqual(remotes.sort(), [
      ['metrics.example.com', true],
      ['networking.k8s.io', false],
      ['rbac.authorization.k8s.io', false],
    ]);
    services.stop();
    await world.stop();
  });

  it('tell whether one of them leads to another server, as they come and go', async () => {
    const world = new World();
    const server = await world.server();
    const services = new ApiServices({
      replica: server.parts.reader.replica,
      isBuiltin: () => false,
      onProblem: (message) => assert.fail(message),
    });
    const make = async (group: string, spec: JsonObject): Promise<void> => {
      await server.create(GROUP, 'apiservices', {
        metadata: { name: `v1.${group}` },
        spec: { group, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, ...spec },
      });
      await world.pass(100);
      await settle();
    };
    await make('local.example.com', {});
    assert.equal(services.hasRemotes, false);
    await make('remote.example.com', { service: { namespace: 'default', name: 'other' } });
    assert.equal(services.hasRemotes, true);
    const key = `${GROUP}/apiservices/v1.remote.example.com`;
    const { item } = await world.store.get(key);
    await world.store.delete(key, item!.revision);
    await world.pass(100);
    await settle();
    assert.equal(services.hasRemotes, false);
    services.stop();
    await world.stop();
  });
});
