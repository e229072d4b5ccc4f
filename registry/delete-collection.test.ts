import assert from 'node:assert/strict';
import { SYSTEM_USER } from '../api/user.ts';
import { Warnings } from '../api/warnings.ts';
import { World } from '../test/support/world.ts';
import { settle } from '../test/support/fake-clock.ts';
import { deleteCollection } from './delete-collection.ts';
import { DEFAULT_DELETE_OPTIONS } from './delete-options.ts';
import { EVERYTHING } from './list-options.ts';

const context = {
  user: SYSTEM_USER,
  warnings: new Warnings(),
  audit: new Map<string, string>(),
  signal: undefined,
  defaultManager: 'test',
};

describe('deletion of a collection', () => {
  it('stops when its response reports a failure', async () => {
    const world = new World();
    const server = await world.server();
    await server.namespace('a');
    for (let i = 0; i < 40; i++) {
      const metadata = { name: `lease${i}`, namespace: 'a' };
      await server.create('coordination.cluster.io', 'leases', { metadata });
    }
    const { store } = world;
    const plain = store.delete.bind(store);
    let calls = 0;
    store.delete = async (key, expected) => {
      if (++calls === 1) throw new Error('the disk is on fire');
      await settle();
      return plain(key, expected);
    };
    const resource = server.resource('coordination.cluster.io', 'leases');
    const target = { resource, namespace: 'a', name: '' };
    await assert.rejects(
      deleteCollection(server.parts, context, target, {
        list: EVERYTHING,
        delete: DEFAULT_DELETE_OPTIONS,
      }),
      /the disk is on fire/,
    );
    const atTheAnswer = world.store.revision;
    for (let i = 0; i < 10; i++) await settle();
    assert.equal(world.store.revision, atTheAnswer);
    await world.stop();
  });

  it('does not build responses for the deleted objects, which may be far larger than the stored ones', async () => {
    const world = new World();
    const server = await world.server();
    await server.namespace('a');
    for (const name of ['x', 'y']) {
      const metadata = { name, namespace: 'a', finalizers: ['a.example.com/hold'] };
      await server.create('coordination.cluster.io', 'leases', { metadata });
    }
    const { views } = server.parts;
    views.bytesInTurns = () => assert.fail('an object is made');
    const resource = server.resource('coordination.cluster.io', 'leases');
    for (const dryRun of [true, false]) {
      const { deleted, status } = await deleteCollection(
        server.parts,
        context,
        { resource, namespace: 'a', name: '' },
        { list: EVERYTHING, delete: { ...DEFAULT_DELETE_OPTIONS, dryRun }, keepsObjects: true },
      );
      const shown = deleted!.objects.map((bytes) => JSON.parse(bytes.toString()));
      assert.deepEqual(
        shown.map(({ metadata }) => [metadata.name, typeof metadata.deletionTimestamp]),
        [
          ['x', 'string'],
          ['y', 'string'],
        ],
      );
      assert.equal(status.details?.causes?.length, 2);
    }
    await world.stop();
  });
});
