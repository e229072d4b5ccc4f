import assert from 'node:assert/strict';
import { nextRevision, revisionOf, type Revision } from '../../api/revision.ts';
import { isStoreError } from '../../storage/errors.ts';
import type { Store, StoreEvent } from '../../storage/interface.ts';
import {
  bytes,
  create,
  done,
  following,
  ownPrefix,
  rejectsWith,
  WatchReader,
} from './store-kit.ts';

/** What compaction promises, and the limits of values. */
export function describeHistory(store: () => Store): void {
  describe('compaction', () => {
    it('forgets what was before, and nothing else', async () => {
      const key = `${ownPrefix()}a`;
      const first = await create(store(), key, 'one');
      const second = done(await store().update(key, bytes('two'), first));
      const third = done(await store().update(key, bytes('three'), second));
      await store().compact(second);
      const prefix = key;
      await rejectsWith(store().get(key, { revision: first }), 'compacted');
      await rejectsWith(store().list({ prefix, revision: first }), 'compacted');
      await rejectsWith(new WatchReader(store(), prefix, first).next(), 'compacted');
      assert.equal((await store().get(key, { revision: second })).item!.value.toString(), 'two');
      assert.equal((await store().get(key)).item!.revision, third);
      const watch = new WatchReader(store(), prefix, nextRevision(second));
      assert.equal((await watch.until(1))[0]!.revision, third);
      await watch.close();
    });

    it('can be repeated, and not done ahead of time', async () => {
      const key = `${ownPrefix()}a`;
      const revision = await create(store(), key);
      await store().compact(revision);
      await store().compact(revision);
      await store().compact(revisionOf(revision - 1n));
      assert.equal((await store().get(key, { revision })).item!.revision, revision);
      const future = revisionOf(revision + 1_000n);
      await rejectsWith(store().compact(future), 'futureRevision');
      assert.equal((await store().get(key)).item!.revision, revision);
    });

    it('tells a watch the oldest revision that is left', async () => {
      const prefix = ownPrefix();
      const first = await create(store(), `${prefix}a`);
      const second = await create(store(), `${prefix}b`);
      await store().compact(second);
      const error = await rejectsWith(new WatchReader(store(), prefix, first).next(), 'compacted');
      assert.ok(isStoreError(error));
      assert.equal(error.compactRevision, second);
    });

    it('keeps what exists, whatever was before', async () => {
      const prefix = ownPrefix();
      for (const name of ['a', 'b', 'c']) {
        let revision = await create(store(), prefix + name, '0');
        for (let i = 1; i < 5; i++) {
          revision = done(await store().update(prefix + name, bytes(String(i)), revision));
        }
        if (name === 'b') done(await store().delete(prefix + name, revision));
      }
      const before = await store().list({ prefix, count: true });
      await store().compact(before.revision);
      assert.deepEqual(await store().list({ prefix, count: true }), before);
      const at = await store().list({ prefix, revision: before.revision, count: true });
      assert.deepEqual(at, before);
      await create(store(), `${prefix}b`, 'again');
      assert.equal((await store().get(`${prefix}b`)).item!.value.toString(), 'again');
    });

    it('loses no event of a watch that goes on, deletes at its very revision included', async () => {
      const prefix = ownPrefix();
      const watch = new WatchReader(store(), prefix, await following(store()));
      const expected: [string, Revision][] = [];
      for (let i = 0; i < 60; i++) {
        const key = `${prefix}${i}`;
        const created = await create(store(), key);
        const gone = done(await store().delete(key, created));
        expected.push([key, created], [key, gone]);
        if (i % 5 === 4) await store().compact(gone);
      }
      // The watch was open all the time; where it cannot be served exactly it says so.
      let events: StoreEvent[];
      try {
        events = await watch.until(expected.length);
      } catch (error) {
        assert.ok(isStoreError(error, 'compacted'), String(error));
        return;
      }
      assert.deepEqual(
        events.map(({ key, revision }) => [key, revision]),
        expected,
      );
      await watch.close();
    });

    it('lets a watch from its very revision see the delete there, or refuses it', async () => {
      const prefix = ownPrefix();
      for (let i = 0; i < 10; i++) {
        const key = `${prefix}${i}`;
        const gone = done(await store().delete(key, await create(store(), key)));
        await store().compact(gone);
        // By the time of the next write, what compaction clears away is gone.
        const marker = await create(store(), `${key}-marker`);
        const watch = new WatchReader(store(), prefix, gone);
        const next = watch.until(2);
        try {
          const events = await next;
          assert.deepEqual(
            events.map(({ revision }) => revision),
            [gone, marker],
          );
        } catch (error) {
          assert.ok(isStoreError(error, 'compacted'), String(error));
        }
        await watch.close();
      }
    });
  });

  describe('limits', () => {
    it('takes values of 1.4 MiB and refuses those of 1.6 MiB and 10 MiB', async () => {
      const prefix = ownPrefix();
      const MiB = 1024 * 1024;
      const large = Buffer.alloc(1.4 * MiB, 'x');
      const revision = done(await store().create(`${prefix}a`, large));
      const { item } = await store().get(`${prefix}a`);
      assert.ok(item!.value.equals(large));
      for (const size of [1.6 * MiB, 10 * MiB]) {
        const value = Buffer.alloc(size);
        await rejectsWith(store().create(`${prefix}b`, value), 'tooLarge');
        await rejectsWith(store().update(`${prefix}a`, value, revision), 'tooLarge');
      }
      const half = Buffer.alloc(MiB, 'x');
      const both = store().batch([
        { op: 'create', key: `${prefix}c`, value: half },
        { op: 'create', key: `${prefix}d`, value: half },
      ]);
      await rejectsWith(both, 'tooLarge');
      assert.equal((await store().list({ prefix })).items.length, 1);
    });

    it('shows large values in lists and watches', async () => {
      const prefix = ownPrefix();
      const from = await following(store());
      const value = Buffer.alloc(1024 * 1024, 'y');
      for (let i = 0; i < 12; i++) done(await store().create(`${prefix}${i}`, value));
      assert.equal((await store().list({ prefix })).items.length, 12);
      const watch = new WatchReader(store(), prefix, from);
      const events = await watch.until(12);
      assert.ok(events.every((event) => event.type === 'put' && event.value.equals(value)));
      assert.equal(nextRevision(watch.revision), await following(store()));
      await watch.close();
    });
  });

  describe('a healthy store', () => {
    it('says what it is', async () => {
      assert.deepEqual(await store().checkHealth(), { writesRefused: undefined });
      const { kind, version, sizeBytes, limitations } = await store().describe();
      assert.ok(['etcd', 'embedded'].includes(kind));
      assert.notEqual(version, '');
      assert.ok(sizeBytes > 0);
      for (const sentence of limitations) assert.match(sentence, /^\S.*\.$/);
    });
  });
}
