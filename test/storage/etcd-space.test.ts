import assert from 'node:assert/strict';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import { isStoreError } from '../../storage/errors.ts';
import type { Store } from '../../storage/interface.ts';
import { bytes, create, done, following, rejectsWith, WatchReader } from '../contract/store-kit.ts';
import { makeRoom } from '../support/etcd-admin.ts';
import { TestEtcd } from '../support/etcd.ts';

/** etcd with a space quota that is soon exhausted. */
describe('etcd: out of space', () => {
  let etcd: TestEtcd;
  let store: Store;

  before(async () => {
    etcd = await TestEtcd.start({ quotaBytes: 4 * 1024 * 1024 });
    store = await openEtcdStore({ endpoints: [etcd.url] });
  });
  after(async () => {
    await store.close();
    await etcd.dispose();
  });

  it('refuses writes with a clear error, goes on with reads and deletes, and recovers', async () => {
    const value = Buffer.alloc(64 * 1024, 'x');
    const watch = new WatchReader(store, '', await following(store));
    const outcomes = new Map<string, 'stored' | 'refused'>();
    let filled = false;
    const fill = async (writer: number): Promise<void> => {
      for (let i = 0; !filled; i++) {
        const key = `fill/${writer}-${i}`;
        try {
          done(await store.create(key, value));
          outcomes.set(key, 'stored');
        } catch (error) {
          assert.ok(isStoreError(error, 'outOfSpace'), String(error));
          outcomes.set(key, 'refused');
          filled = true;
        }
      }
    };
    // Many at once: the one that goes over the quota is executed although etcd answers an error.
    await Promise.all(Array.from({ length: 16 }, (_, writer) => fill(writer)));
    const { items } = await store.list({ prefix: 'fill/' });
    const stored = new Set(items.map(({ key }) => key));
    for (const [key, outcome] of outcomes) {
      assert.equal(stored.has(key), outcome === 'stored', `${key} was ${outcome}`);
    }

    await rejectsWith(store.create('more', bytes('x')), 'outOfSpace');
    await rejectsWith(store.update(items[0]!.key, bytes('x'), items[0]!.revision), 'outOfSpace');
    await rejectsWith(store.create('ttl', bytes('x'), { ttlSeconds: 60 }), 'outOfSpace');
    const health = await rejectsWith(store.checkHealth(), 'outOfSpace');
    assert.doesNotMatch(health.message, /\n/);
    assert.equal((await store.get(items[0]!.key)).item!.value.length, value.length);

    for (const { key, revision } of items) done(await store.delete(key, revision));
    assert.deepEqual(await store.delete(items[0]!.key, items[0]!.revision), { outcome: 'missing' });
    // Deleting alone gives no room: history still holds what was deleted.
    await rejectsWith(store.create('more', bytes('x')), 'outOfSpace');
    await watch.until(items.length * 2);

    await store.compact(await store.currentRevision());
    await makeRoom(etcd);
    await create(store, 'again');
    await store.checkHealth();
    const events = await watch.until(items.length * 2 + 1);
    assert.equal(events.at(-1)!.key, 'again');
    await watch.close();
  });
});
