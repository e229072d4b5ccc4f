import assert from 'node:assert/strict';
import { nextRevision, revisionOf, type Revision } from '../../api/revision.ts';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import { isStoreError } from '../../storage/errors.ts';
import type { Store } from '../../storage/interface.ts';
import {
  bytes,
  create,
  done,
  eventually,
  following,
  ownPrefix,
  rejectsWith,
  WatchReader,
} from '../contract/store-kit.ts';
import { TcpProxy } from '../support/etcd-proxy.ts';
import { TestEtcd } from '../support/etcd.ts';

const LONG = process.env['PLINTH_TEST_LONG'] !== undefined;

/** Watches on an etcd that goes away, comes back, and is not always itself. */
describe('etcd: watches', () => {
  let etcd: TestEtcd;
  let proxy: TcpProxy;
  let far: Store;
  let near: Store;

  beforeEach(async () => {
    etcd = await TestEtcd.start();
    proxy = await TcpProxy.to(etcd.url);
    far = await openEtcdStore({ endpoints: [proxy.url] });
    near = await openEtcdStore({ endpoints: [etcd.url] });
  });
  afterEach(async () => {
    await far.close();
    await near.close();
    await proxy.close();
    await etcd.dispose();
  });

  /** Four events to a revision: etcd sends a thousand revisions at a time, so this takes several responses. */
  async function writeBacklog(prefix: string, count: number, size: number): Promise<void> {
    const value = Buffer.alloc(size, 'v');
    let written = 0;
    const writer = async (): Promise<void> => {
      while (written < count) {
        const operations = Array.from({ length: 4 }, () => {
          return { op: 'create' as const, key: `${prefix}${written++}`, value };
        });
        done(await near.batch(operations));
      }
    };
    await Promise.all(Array.from({ length: 16 }, writer));
  }

  it('deliver a backlog of 20,000 events though the connection is cut again and again', async function () {
    const prefix = ownPrefix();
    const from = await following(near);
    const count = LONG ? 100_000 : 20_000;
    await writeBacklog(prefix, count, 500);
    const watch = new WatchReader(far, prefix, from);
    const stop = new AbortController();
    const cutting = (async (): Promise<void> => {
      // etcd looks after watchers that are behind every 100 ms: some cuts come before, some amid.
      for (let cuts = 0; cuts < (LONG ? 100 : 12) && !stop.signal.aborted; cuts++) {
        const cutAt = performance.now() + 30 + Math.random() * 250;
        // Not so late, however, that all has come before.
        const seen = watch.events.length;
        while (performance.now() < cutAt && watch.events.length - seen < count / 8) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        proxy.cut();
      }
    })();
    await watch.until(count);
    stop.abort();
    await cutting;
    assert.ok(proxy.connections > 3, 'the connection was hardly cut');
    const keys = new Set(watch.events.map(({ key }) => key));
    assert.deepEqual([watch.events.length, keys.size], [count, count]);
    await watch.close();
  });

  it('go on through restarts of etcd while others write', async function () {
    const prefix = ownPrefix();
    const watch = new WatchReader(far, prefix, await following(near));
    const stop = new AbortController();
    const written = new Map<string, Revision>();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; !stop.signal.aborted; i++) {
        const key = `${prefix}${writer}-${i}`;
        // Whatever etcd goes through meanwhile, the outcome is known in the end.
        written.set(key, done(await near.create(key, bytes('x'))));
      }
    });
    for (let round = 0; round < (LONG ? 10 : 3); round++) {
      const before = written.size;
      await eventually('writers get on', () => (written.size > before + 100 ? true : undefined));
      await etcd.restart();
    }
    stop.abort();
    await Promise.all(writers);
    const events = await watch.until(written.size);
    for (const { key, revision } of events) assert.equal(written.get(key), revision);
    const last = await create(near, `${prefix}last`);
    await watch.untilRevision(last);
    assert.equal(watch.events.length, written.size + 1, 'an event came that was never written');
    await watch.close();
  });

  it('detect that etcd is silent, and resume when it answers again', async function () {
    const prefix = ownPrefix();
    const watch = new WatchReader(far, prefix, await following(far));
    await create(far, `${prefix}a`);
    await watch.until(1);
    const before = proxy.connections;
    etcd.freeze();
    const health = await far.checkHealth().then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(
      isStoreError(health, 'timeout') || isStoreError(health, 'unavailable'),
      String(health),
    );
    const pending = far.create(`${prefix}b`, bytes('x'));
    await eventually('connections of before are given up for dead', () =>
      proxy.connections > before ? true : undefined,
    );
    etcd.thaw();
    const revision = done(await pending);
    const events = await watch.until(2);
    assert.equal(events[1]!.revision, revision);
    await watch.close();
  });

  it('end as reset when another cluster answers at the same address', async () => {
    const prefix = ownPrefix();
    for (let i = 0; i < 20; i++) await create(near, `${prefix}${i}`);
    const watch = new WatchReader(near, prefix, await following(near));
    const ended = rejectsWith(watch.next(), 'reset');
    await etcd.replace({ token: 'another' });
    await ended;
    // From then on the store serves what is there now.
    await eventually('the new cluster is served', async () => {
      return near.currentRevision().catch(() => undefined);
    });
    assert.equal((await near.list({ prefix })).items.length, 0);
    const again = new WatchReader(near, prefix, await following(near));
    await create(near, `${prefix}new`);
    assert.equal((await again.until(1)).length, 1);
    await again.close();
  });

  it('end as reset when the revisions of the same cluster have gone back', async () => {
    const prefix = ownPrefix();
    for (let i = 0; i < 20; i++) await create(near, `${prefix}${i}`);
    const watch = new WatchReader(near, prefix, await following(near));
    const ended = rejectsWith(watch.next(), 'reset');
    await etcd.replace();
    await ended;
    await watch.close();
  });

  it('end as reset when a restored backup has got past the revision they had seen', async () => {
    const prefix = ownPrefix();
    const watch = new WatchReader(far, prefix, await following(far));
    for (let i = 0; i < 20; i++) await create(far, `${prefix}${i}`);
    await watch.until(20);
    const ended = rejectsWith(watch.next(), 'reset');
    proxy.refuse(true);
    await etcd.replace();
    const fresh = await openEtcdStore({ endpoints: [etcd.url] });
    for (let i = 0; i < 100; i++) await create(fresh, `${prefix}${i}`, 'of another life');
    assert.ok((await fresh.currentRevision()) > watch.revision);
    await fresh.close();
    proxy.refuse(false);
    await ended;
  });

  it('are not the only ones to notice: a read of the newest revision does, too', async () => {
    for (let i = 0; i < 20; i++) await create(near, `${ownPrefix()}${i}`);
    await etcd.replace();
    const error = await eventually('it notices', async () => {
      const outcome = await near.currentRevision().then(
        () => new Error('nothing was noticed'),
        (thrown: unknown) => thrown,
      );
      return isStoreError(outcome, 'unavailable') ? undefined : outcome;
    });
    assert.ok(isStoreError(error, 'reset'), String(error));
    assert.ok((await near.currentRevision()) > 0n);
  });

  it('are told when compaction removed the history they missed', async () => {
    const prefix = ownPrefix();
    const watch = new WatchReader(far, prefix, await following(far));
    await create(near, `${prefix}a`);
    await watch.until(1);
    proxy.refuse(true);
    let revision = await create(near, `${prefix}b`);
    for (let i = 0; i < 5; i++) {
      revision = done(await near.update(`${prefix}b`, bytes(String(i)), revision));
    }
    await near.compact(revision);
    const ended = rejectsWith(watch.next(), 'compacted');
    proxy.refuse(false);
    const error = await ended;
    assert.ok(isStoreError(error));
    await watch.close();
  });

  it('go on when history is compacted at the newest revision, which they have seen', async () => {
    const watch = new WatchReader(near, '', await following(near));
    // An etcd with unsafe compaction is checked once a second.
    const until = performance.now() + 3_000;
    for (let i = 1; performance.now() < until; i++) {
      const revision = await create(near, `k/${i}`);
      assert.equal((await watch.until(i)).at(-1)!.revision, revision);
      await near.compact(revision);
    }
    await watch.close();
  });

  it('lose no delete to compaction, or report that they may have', async function () {
    const prefix = ownPrefix();
    let restarts = 0;
    let watch = new WatchReader(far, prefix, await following(far));
    let alive = new Set<string>();
    const stop = new AbortController();
    const cutter = setInterval(() => proxy.cut(), 150);
    const compactor = setInterval(() => {
      void near
        .currentRevision()
        .then((revision) => near.compact(revision))
        .catch(() => undefined);
    }, 50);
    const writer = (async (): Promise<void> => {
      for (let i = 0; !stop.signal.aborted; i++) {
        const key = `${prefix}${i % 50}`;
        const { item } = await near.get(key);
        if (item === undefined) await near.create(key, bytes('x'));
        else await near.delete(key, item.revision);
      }
    })();
    const until = performance.now() + (LONG ? 30_000 : 4_000);
    const follow = async (target?: Revision): Promise<void> => {
      while (target === undefined ? performance.now() < until : watch.revision < target) {
        try {
          const batch = await watch.next();
          for (const event of batch!.events) {
            if (event.type === 'put') alive.add(event.key);
            else alive.delete(event.key);
          }
        } catch (error) {
          assert.ok(isStoreError(error, 'compacted'), String(error));
          restarts++;
          const list = await near.list({ prefix });
          alive = new Set(list.items.map(({ key }) => key));
          watch = new WatchReader(far, prefix, nextRevision(list.revision));
          watch.revision = list.revision;
        }
      }
    };
    await follow();
    stop.abort();
    await writer;
    clearInterval(cutter);
    clearInterval(compactor);
    await follow(await create(near, `${prefix}end`));
    const { items } = await near.list({ prefix });
    const missed = `after ${restarts} restarts`;
    assert.deepEqual([...alive].sort(), items.map(({ key }) => key).sort(), missed);
    await watch.close();
  });

  it('put together what etcd sends in fragments', async function () {
    const prefix = ownPrefix();
    const from = await following(near);
    // Far more than one message may hold (1.5 MiB), in one revision and in many.
    const value = Buffer.alloc(11_000, 'v');
    let revision = revisionOf(0n);
    for (let batch = 0; batch < 15; batch++) {
      const operations = Array.from({ length: 120 }, (_, i) => {
        return { op: 'create' as const, key: `${prefix}${batch}/${i}`, value };
      });
      revision = done(await near.batch(operations));
    }
    const watch = new WatchReader(far, prefix, from);
    const events = await watch.untilRevision(revision);
    assert.equal(events.length, 15 * 120);
    for (const batch of watch.batches) {
      const last = batch.events.filter((event) => event.revision === batch.revision);
      assert.equal(last.length, 120, 'a revision was split');
    }
    await watch.close();
  });

  it('leave nothing behind', async () => {
    const prefix = ownPrefix();
    const watchers = async (): Promise<number> => {
      const text = await (await fetch(`${etcd.url}/metrics`)).text();
      return Number(/^etcd_debugging_mvcc_watcher_total (\d+)/m.exec(text)![1]);
    };
    const before = await watchers();
    const open = Array.from({ length: 20 }, () => new WatchReader(near, prefix, revisionOf(1n)));
    await create(near, `${prefix}a`);
    for (const watch of open) await watch.until(1);
    assert.equal(await watchers(), before + 20);
    for (const watch of open) await watch.close();
    const gone = new AbortController();
    const never = new WatchReader(near, prefix, await following(near), { signal: gone.signal });
    const pending = never.next();
    gone.abort();
    await rejectsWith(pending, 'cancelled');
    await eventually('etcd has no watcher left', async () => {
      return (await watchers()) === before ? true : undefined;
    });
  });
});
