import assert from 'node:assert/strict';
import type { Revision } from '../../api/revision.ts';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import type { Store } from '../../storage/interface.ts';
import {
  bytes,
  create,
  Creations,
  eventually,
  following,
  ownPrefix,
  WatchReader,
} from '../contract/store-kit.ts';
import { leaderOf, startCluster } from '../support/etcd-cluster.ts';
import type { TestEtcd } from '../support/etcd.ts';

/** Three members, of which one dies or freezes. */
describe('etcd: a cluster of three', () => {
  let members: TestEtcd[];
  let stores: Store[];

  before(async function () {
    members = await startCluster(3);
    const urls = members.map(({ url }) => url);
    // Each server begins with another member.
    stores = await Promise.all(
      urls.map((_, i) => openEtcdStore({ endpoints: [...urls.slice(i), ...urls.slice(0, i)] })),
    );
  });
  after(async function () {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(members.map((member) => member.dispose()));
  });

  /** Clients of all servers count while `fault` happens. Nothing is lost, nothing counts twice. */
  async function countThrough(fault: () => Promise<void>): Promise<void> {
    const prefix = ownPrefix();
    const key = `${prefix}counter`;
    await create(stores[0]!, key, '0');
    const watches = await Promise.all(
      stores.map(async (store) => new WatchReader(store, prefix, await following(stores[0]!))),
    );
    const written = new Map<Revision, string>();
    const stop = new AbortController();
    let failures = 0;
    const client = async (store: Store): Promise<void> => {
      while (!stop.signal.aborted) {
        try {
          const { item } = await store.get(key);
          const next = String(Number(item!.value.toString()) + 1);
          const outcome = await store.update(key, bytes(next), item!.revision);
          if (outcome.outcome === 'ok') {
            assert.ok(!written.has(outcome.revision), 'two were told that they wrote one revision');
            written.set(outcome.revision, next);
          }
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          failures++;
        }
      }
    };
    const created = new Creations(`${prefix.slice(0, -1)}-objects/`);
    const objects = new WatchReader(stores[1]!, created.prefix, await following(stores[0]!));
    const clients = Array.from({ length: 24 }, (_, i) => client(stores[i % 3]!));
    for (let i = 0; i < 6; i++) clients.push(created.go(stores[i % 3]!, stop.signal));
    await eventually('counting', () => (written.size > 50 ? true : undefined));
    await fault();
    const before = written.size;
    await eventually('counting goes on', () => (written.size > before + 50 ? true : undefined));
    stop.abort();
    await Promise.all(clients);
    const { item } = await stores[1]!.get(key);
    const counted = Number(item!.value.toString());
    assert.ok(counted >= written.size && counted <= written.size + failures);
    for (const watch of watches) {
      const events = await watch.until(counted);
      assert.equal(events.length, counted);
      const seen = events.map((event) => (event.type === 'put' ? event.value.toString() : ''));
      assert.deepEqual(
        seen,
        Array.from({ length: counted }, (_, i) => String(i + 1)),
      );
      const revisions = new Set(events.map(({ revision }) => revision));
      for (const revision of written.keys())
        assert.ok(revisions.has(revision), 'an answer was lost');
      await watch.close();
    }
    await created.check(stores[1]!, objects);
    await objects.close();
  }

  it('counts exactly when the etcd leader is killed', async function () {
    await countThrough(async () => {
      const leader = await leaderOf(members);
      await leader.kill();
      await leader.start();
    });
  });

  it('counts exactly when the leader freezes, and when it comes back', async function () {
    await countThrough(async () => {
      const leader = await leaderOf(members);
      leader.freeze();
      const prefix = ownPrefix();
      // All servers serve again while it is still frozen.
      for (const store of stores) {
        await eventually('others take over', async () => {
          return store.create(`${prefix}x`, bytes('x')).catch(() => undefined);
        });
      }
      leader.thaw();
    });
  });
});
