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

  /** Writes with many writers at once until the store is full; every answer must be true. */
  async function fill(prefix: string, unique = false): Promise<void> {
    const outcomes = new Map<string, 'stored' | 'refused'>();
    let filled = false;
    const writer = async (id: number): Promise<void> => {
      for (let i = 0; !filled; i++) {
        const key = `${prefix}${id}-${i}`;
        try {
          const value = Buffer.alloc(64 * 1024, `of ${key} `);
          done(await store.create(key, value, { unique }));
          outcomes.set(key, 'stored');
        } catch (error) {
          assert.ok(isStoreError(error, 'outOfSpace'), String(error));
          outcomes.set(key, 'refused');
          filled = true;
        }
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, id) => writer(id)));
    const { items } = await store.list({ prefix });
    const stored = new Set(items.map(({ key }) => key));
    for (const [key, outcome] of outcomes) {
      assert.equal(stored.has(key), outcome === 'stored', `${key} was ${outcome}`);
    }
  }

  async function recover(): Promise<void> {
    await store.compact(await store.currentRevision());
    await makeRoom(etcd);
  }

  it('tells apart what was stored and what was not, also of writes that go over the quota', async () => {
    // etcd executes the writes that exhaust the quota, and answers that it has no space.
    for (const prefix of ['a/', 'b/', 'c/', 'd/', 'e/', 'f/', 'g/', 'h/']) {
      await fill(prefix, prefix > 'e');
      const { items } = await store.list({ prefix });
      for (const { key, revision } of items) done(await store.delete(key, revision));
      await recover();
    }
  });

  it('refuses writes with a clear error, goes on with reads and deletes, and recovers', async () => {
    const watch = new WatchReader(store, 'fill/', await following(store));
    await fill('fill/');
    const { items } = await store.list({ prefix: 'fill/' });

    await rejectsWith(store.create('more', bytes('x')), 'outOfSpace');
    await rejectsWith(store.create('more', bytes('y'), { unique: true }), 'outOfSpace');
    await rejectsWith(store.update(items[0]!.key, bytes('x'), items[0]!.revision), 'outOfSpace');
    await rejectsWith(store.create('ttl', bytes('x'), { ttlSeconds: 60 }), 'outOfSpace');
    const { writesRefused } = await store.checkHealth();
    assert.match(writesRefused!, /^etcd: .*NOSPACE.*$/);
    assert.equal((await store.get(items[0]!.key)).item!.value.length, 64 * 1024);

    for (const { key, revision } of items) done(await store.delete(key, revision));
    assert.deepEqual(await store.delete(items[0]!.key, items[0]!.revision), { outcome: 'missing' });
    // Deleting alone gives no room: history still holds what was deleted.
    await rejectsWith(store.create('more', bytes('x')), 'outOfSpace');
    await watch.until(items.length * 2);

    await recover();
    await create(store, 'fill/again');
    assert.equal((await store.checkHealth()).writesRefused, undefined);
    const events = await watch.until(items.length * 2 + 1);
    assert.equal(events.at(-1)!.key, 'fill/again');
    await watch.close();
  });
});
