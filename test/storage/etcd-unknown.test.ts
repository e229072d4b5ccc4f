import assert from 'node:assert/strict';
import type { Revision } from '../../api/revision.ts';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import type { Store } from '../../storage/interface.ts';
import {
  bytes,
  create,
  Creations,
  done,
  eventually,
  following,
  ownPrefix,
  WatchReader,
} from '../contract/store-kit.ts';
import { TcpProxy } from '../support/etcd-proxy.ts';
import { TestEtcd } from '../support/etcd.ts';

/** Writes whose answer is lost: each one's outcome has to be what etcd really did. */
describe('etcd: writes of unknown outcome', () => {
  let etcd: TestEtcd;
  let proxy: TcpProxy;
  let far: Store;
  let near: Store;

  before(async () => {
    etcd = await TestEtcd.start();
    proxy = await TcpProxy.to(etcd.url);
    far = await openEtcdStore({ endpoints: [proxy.url] });
    near = await openEtcdStore({ endpoints: [etcd.url] });
  });
  after(async () => {
    await far.close();
    await near.close();
    await proxy.close();
    await etcd.dispose();
  });

  /** Lets etcd execute what `action` sends, and loses the answer. */
  async function loseAnswer<T>(
    action: () => Promise<T>,
    executed: () => Promise<boolean>,
  ): Promise<T> {
    proxy.holdReplies();
    const result = action();
    await eventually('etcd executes it', async () => ((await executed()) ? true : undefined));
    proxy.stopHolding();
    proxy.cut();
    return result;
  }

  /** Loses what `action` sends; `late` delivers it when all is over. */
  async function loseRequest<T>(
    action: () => Promise<T>,
    meanwhile?: () => Promise<void>,
  ): Promise<T> {
    const before = proxy.heldBytes;
    proxy.holdRequests();
    const result = action();
    await eventually('it is on its way', () => (proxy.heldBytes > before ? true : undefined));
    await meanwhile?.();
    proxy.stopHolding();
    proxy.abandonClients();
    return result;
  }

  async function exists(key: string): Promise<boolean> {
    return (await near.get(key)).item !== undefined;
  }

  it('a create that happened is ok, at its own revision', async () => {
    const key = `${ownPrefix()}a`;
    const outcome = await loseAnswer(
      () => far.create(key, bytes('x')),
      () => exists(key),
    );
    assert.equal(done(outcome), (await near.get(key)).item!.revision);
  });

  it('a create that happened is ok, though others have changed and deleted the key since', async () => {
    const key = `${ownPrefix()}a`;
    let created: Revision | undefined;
    const outcome = await loseAnswer(
      () => far.create(key, bytes('x')),
      async () => {
        const { item } = await near.get(key);
        if (item === undefined) return false;
        created = item.revision;
        const updated = done(await near.update(key, bytes('y'), item.revision));
        done(await near.delete(key, updated));
        await create(near, key, 'x');
        return true;
      },
    );
    assert.equal(done(outcome), created);
  });

  it('a create that did not happen is sent again', async () => {
    const key = `${ownPrefix()}a`;
    const outcome = await loseRequest(() => far.create(key, bytes('x')));
    assert.equal(done(outcome), (await near.get(key)).item!.revision);
  });

  it('a create that lost to another one with the same bytes says so', async () => {
    const key = `${ownPrefix()}a`;
    const outcome = await loseRequest(
      () => far.create(key, bytes('same')),
      async () => {
        await create(near, key, 'same');
      },
    );
    assert.equal(outcome.outcome, 'exists');
  });

  it('a create that is told by its value is ok when it happened, whatever has become of it', async () => {
    const key = `${ownPrefix()}a`;
    const value = bytes('of this write');
    const events = new WatchReader(near, key, await following(near));
    const there = await loseAnswer(
      () => far.create(key, value, { unique: true }),
      () => exists(key),
    );
    const first = done(there);
    assert.equal(first, (await near.get(key)).item!.revision);
    done(await near.delete(key, first));

    const changed = await loseAnswer(
      () => far.create(key, bytes('of the next'), { unique: true }),
      async () => {
        const { item } = await near.get(key);
        if (item === undefined) return false;
        const other = done(await near.update(key, bytes('y'), item.revision));
        const same = done(await near.update(key, item.value, other));
        done(await near.delete(key, same));
        await create(near, key, 'x');
        return true;
      },
    );
    const [, , created] = await events.until(7);
    assert.equal(done(changed), created!.revision);
    await events.close();
  });

  it('a create that is told by its value is sent again when it did not happen, and may lose', async () => {
    const key = `${ownPrefix()}a`;
    const value = bytes('of this write');
    const again = await loseRequest(() => far.create(key, value, { unique: true }));
    const { item } = await near.get(key);
    assert.equal(done(again), item!.revision);
    done(await near.delete(key, item!.revision));
    proxy.deliverLate();
    for (let i = 0; i < 20; i++) await create(near, `${key}later${i}`);
    assert.equal(await exists(key), false, 'it has come back');

    const lost = await loseRequest(
      () => far.create(key, bytes('mine'), { unique: true }),
      async () => {
        await create(near, key, 'of another writer');
      },
    );
    assert.equal(lost.outcome, 'exists');
  });

  it('an update that happened is ok, and the same bytes of another writer are not taken for it', async () => {
    const key = `${ownPrefix()}a`;
    const first = await create(near, key, '0');
    const updated = await loseAnswer(
      () => far.update(key, bytes('1'), first),
      async () => (await near.get(key)).item!.revision !== first,
    );
    const second = done(updated);
    assert.equal(second, (await near.get(key)).item!.revision);
    const lost = await loseRequest(
      () => far.update(key, bytes('2'), second),
      async () => void done(await near.update(key, bytes('2'), second)),
    );
    assert.equal(lost.outcome, 'conflict');
  });

  it('a delete that happened is ok, and that of another client is not taken for it', async () => {
    const prefix = ownPrefix();
    const a = await create(near, `${prefix}a`);
    const deleted = await loseAnswer(
      () => far.delete(`${prefix}a`, a),
      async () => !(await exists(`${prefix}a`)),
    );
    const watch = new WatchReader(near, prefix, a);
    assert.equal((await watch.until(2))[1]!.revision, done(deleted));
    await watch.close();
    const b = await create(near, `${prefix}b`);
    const lost = await loseRequest(
      () => far.delete(`${prefix}b`, b),
      async () => void done(await near.delete(`${prefix}b`, b)),
    );
    assert.deepEqual(lost, { outcome: 'missing' });
  });

  it('a batch that happened is ok', async () => {
    const prefix = ownPrefix();
    const old = await create(near, `${prefix}old`);
    const outcome = await loseAnswer(
      () =>
        far.batch([
          { op: 'delete', key: `${prefix}old`, expected: old },
          { op: 'create', key: `${prefix}new`, value: bytes('x') },
        ]),
      () => exists(`${prefix}new`),
    );
    assert.equal(done(outcome), (await near.get(`${prefix}new`)).item!.revision);
  });

  it('a write that arrives late, after its fate was settled, does nothing', async () => {
    const prefix = ownPrefix();
    const key = `${prefix}a`;
    const revision = done(await loseRequest(() => far.create(key, bytes('x'))));
    done(await near.delete(key, revision));
    const counter = `${prefix}counter`;
    const first = await create(near, counter, '0');
    const second = done(await loseRequest(() => far.update(counter, bytes('1'), first)));
    proxy.deliverLate();
    // Whatever was going to be executed is, once etcd has executed something sent after it.
    for (let i = 0; i < 20; i++) await create(near, `${prefix}later${i}`);
    assert.equal(await exists(key), false, 'a deleted key has come back');
    assert.equal((await near.get(counter)).item!.revision, second);
  });

  it('all of a hundred writes on one broken connection are settled', async () => {
    const prefix = ownPrefix();
    const keys = Array.from({ length: 100 }, (_, i) => `${prefix}${i}`);
    proxy.holdReplies();
    const first = keys.slice(0, 50).map((key) => far.create(key, bytes('x')));
    await eventually('half of them are executed', async () => {
      return (await near.list({ prefix })).items.length === 50 ? true : undefined;
    });
    proxy.holdRequests();
    const second = keys.slice(50).map((key) => far.create(key, bytes('x')));
    await eventually('the others are on their way', () => (proxy.heldBytes > 0 ? true : undefined));
    proxy.stopHolding();
    proxy.abandonClients();
    const outcomes = await Promise.all([...first, ...second]);
    proxy.deliverLate();
    const { items } = await near.list({ prefix });
    const stored = new Map(items.map(({ key, revision }) => [key, revision]));
    assert.equal(stored.size, 100);
    for (const [index, outcome] of outcomes.entries()) {
      assert.equal(done(outcome), stored.get(keys[index]!));
    }
  });

  it('tells creates by their values while connections break at random', async () => {
    const created = new Creations(ownPrefix());
    const events = new WatchReader(near, created.prefix, await following(near));
    const stop = new AbortController();
    const clients = Array.from({ length: 16 }, (_, i) =>
      created.go(i % 2 === 0 ? far : near, stop.signal),
    );
    for (let cuts = 0; cuts < 25; cuts++) {
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
      proxy.cut();
    }
    stop.abort();
    await Promise.all(clients);
    assert.ok(created.made.size > 50, `only ${created.made.size} creates`);
    assert.equal(created.unknown, 0, 'connections came back, so nothing has to stay unknown');
    await created.check(near, events);
    await events.close();
  });

  it('counts exactly while connections break at random', async function () {
    const key = `${ownPrefix()}counter`;
    await create(near, key, '0');
    let successes = 0;
    let unknown = 0;
    const stop = new AbortController();
    const client = async (store: Store): Promise<void> => {
      while (!stop.signal.aborted) {
        try {
          const { item } = await store.get(key);
          // All writers write the same bytes over the same revision: only the outcome tells who did.
          const next = bytes(String(Number(item!.value.toString()) + 1));
          const { outcome } = await store.update(key, next, item!.revision);
          if (outcome === 'ok') successes++;
        } catch {
          unknown++;
        }
      }
    };
    const clients = Array.from({ length: 16 }, (_, i) => client(i % 2 === 0 ? far : near));
    for (let cuts = 0; cuts < 25; cuts++) {
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
      proxy.cut();
    }
    stop.abort();
    await Promise.all(clients);
    const counted = Number((await near.get(key)).item!.value.toString());
    assert.ok(successes > 50, `only ${successes} writes`);
    assert.ok(
      counted >= successes && counted <= successes + unknown,
      `${successes} successes and ${unknown} unknown, but ${counted} counted`,
    );
    assert.equal(counted, successes, 'connections came back, so nothing has to stay unknown');
  });
});
