import assert from 'node:assert/strict';
import { nextRevision, revisionOf } from '../../api/revision.ts';
import type { Store, StoreEvent } from '../../storage/interface.ts';
import {
  bytes,
  create,
  done,
  eventually,
  following,
  ownPrefix,
  rejectsWith,
  WatchReader,
} from './store-kit.ts';

/** What watch and requestProgress promise. */
export function describeWatches(store: () => Store): void {
  describe('watches', () => {
    it('show what happens, with what was there before', async () => {
      const prefix = ownPrefix();
      const key = `${prefix}a`;
      const watch = new WatchReader(store(), prefix, await following(store()));
      const first = await create(store(), key, 'one');
      const second = done(await store().update(key, bytes('two'), first));
      const gone = done(await store().delete(key, second));
      const events = await watch.until(3);
      const one = { key, value: bytes('one'), revision: first };
      const two = { key, value: bytes('two'), revision: second };
      assert.deepEqual(events, [
        { type: 'put', ...one, created: true },
        { type: 'put', ...two, created: false, previous: one },
        { type: 'delete', key, revision: gone, previous: two },
      ]);
      await watch.close();
    });

    it('leave out what was there before for a caller that does not want it', async () => {
      const prefix = ownPrefix();
      const key = `${prefix}a`;
      const from = await following(store());
      const live = new WatchReader(store(), prefix, from, { previous: false });
      const first = await create(store(), key, 'one');
      await live.until(1);
      const second = done(await store().update(key, bytes('two'), first));
      const gone = done(await store().delete(key, second));
      const past = new WatchReader(store(), prefix, from, { previous: false });
      for (const watch of [live, past]) {
        assert.deepEqual(await watch.until(3), [
          { type: 'put', key, value: bytes('one'), revision: first, created: true },
          { type: 'put', key, value: bytes('two'), revision: second, created: false },
          { type: 'delete', key, revision: gone },
        ]);
        await watch.close();
      }
    });

    it('begin with the revision they are asked for, in the past too', async () => {
      const prefix = ownPrefix();
      const revisions: bigint[] = [];
      for (const name of ['a', 'b', 'c', 'd']) revisions.push(await create(store(), prefix + name));
      const watch = new WatchReader(store(), prefix, revisionOf(revisions[2]!));
      const events = await watch.until(2);
      assert.deepEqual(
        events.map(({ revision }) => revision),
        revisions.slice(2),
      );
      await watch.close();
    });

    it('wait for a revision of the future', async () => {
      const prefix = ownPrefix();
      const from = revisionOf((await store().currentRevision()) + 3n);
      const watch = new WatchReader(store(), prefix, from);
      const pending = watch.until(1);
      for (const name of ['a', 'b', 'c', 'd']) await create(store(), prefix + name);
      const [event] = await pending;
      assert.equal(event!.revision, from);
      assert.equal(event!.key, `${prefix}c`);
      await watch.close();
    });

    it('see only their prefix', async () => {
      const prefix = ownPrefix();
      const watch = new WatchReader(store(), prefix, await following(store()));
      await create(store(), `${prefix.slice(0, -1)}0x`);
      await create(store(), prefix.slice(0, -1));
      await create(store(), `${ownPrefix()}other`);
      await create(store(), `${prefix}mine`);
      assert.deepEqual(
        (await watch.until(1)).map(({ key }) => key),
        [`${prefix}mine`],
      );
      await watch.close();
    });

    it('show a batch in one piece', async () => {
      const prefix = ownPrefix();
      const old = await create(store(), `${prefix}old`);
      const watch = new WatchReader(store(), prefix, await following(store()));
      const first = watch.next();
      const revision = done(
        await store().batch([
          { op: 'create', key: `${prefix}a`, value: bytes('a') },
          { op: 'delete', key: `${prefix}old`, expected: old },
          { op: 'create', key: `${prefix}b`, value: bytes('b') },
        ]),
      );
      const batch = await first;
      assert.equal(batch!.revision, revision);
      assert.deepEqual(
        batch!.events.map((event) => [event.type, event.key, event.revision]).sort(),
        [
          ['delete', `${prefix}old`, revision],
          ['put', `${prefix}a`, revision],
          ['put', `${prefix}b`, revision],
        ],
      );
      await watch.close();
    });

    it('let any number of readers follow, each at its own pace', async () => {
      const prefix = ownPrefix();
      const from = await following(store());
      const readers = Array.from({ length: 10 }, () => new WatchReader(store(), prefix, from));
      const slow = new WatchReader(store(), prefix, from);
      await slow.close();
      const idle = new WatchReader(store(), prefix, from);
      const count = 300;
      const reading = readers.map((reader) => reader.until(count));
      for (let i = 0; i < count; i++) await create(store(), `${prefix}${i}`);
      const all = await Promise.all(reading);
      for (const events of all) assert.deepEqual(names(events), names(all[0]!));
      assert.deepEqual(names(await idle.until(count)), names(all[0]!));
      for (const reader of [...readers, idle]) await reader.close();
    });

    it('deliver a backlog of 20,000 events complete and in order', async function () {
      const prefix = ownPrefix();
      const from = await following(store());
      const count = 20_000;
      const value = Buffer.alloc(200, 'v');
      // 80 to a revision: no bound of a reader falls between two of them by chance.
      for (let i = 0; i < count; i += 80) {
        const operations = Array.from({ length: 80 }, (_, j) => {
          return { op: 'create' as const, key: `${prefix}${i + j}`, value };
        });
        done(await store().batch(operations));
      }
      const watch = new WatchReader(store(), prefix, from);
      const events = await watch.until(count);
      assert.equal(events.length, count);
      assert.equal(new Set(names(events)).size, count);
      await watch.close();
    });

    it('end at once when the caller stops or cancels', async () => {
      const prefix = ownPrefix();
      const idle = store().watch({ prefix, from: await following(store()) });
      const iterator = idle[Symbol.asyncIterator]();
      const pending = iterator.next();
      await iterator.return!();
      assert.equal((await pending).done, true);
      assert.equal((await iterator.next()).done, true);

      const controller = new AbortController();
      const from = await following(store());
      const watch = new WatchReader(store(), prefix, from, { signal: controller.signal });
      const next = watch.next();
      await create(store(), `${prefix}a`);
      await next;
      const last = watch.next();
      controller.abort();
      await rejectsWith(last, 'cancelled');
      assert.equal(await watch.next(), undefined);
      const late = new WatchReader(store(), prefix, from, { signal: controller.signal });
      await rejectsWith(late.next(), 'cancelled');
    });

    it('tell progress when they are asked, or say that they cannot', async () => {
      const prefix = ownPrefix();
      const watch = new WatchReader(store(), prefix, await following(store()));
      await create(store(), `${prefix}a`);
      await watch.until(1);
      const other = await create(store(), `${ownPrefix()}x`);
      const asked = await store().requestProgress();
      if (!asked) {
        // Then nothing may claim progress either: the next thing to come is an event.
        await create(store(), `${prefix}b`);
        await watch.until(2);
        assert.ok(watch.batches.every(({ events }) => events.length > 0));
      } else {
        await watch.untilRevision(other);
        assert.equal(watch.events.length, 1);
        assert.deepEqual(watch.batches.at(-1)!.events, []);
      }
      await watch.close();
    });

    it('tell progress never before the events that it covers', async () => {
      const prefix = ownPrefix();
      const watch = new WatchReader(store(), prefix, await following(store()));
      const acknowledged = new Map<string, bigint>();
      const stop = new AbortController();
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; i < 150; i++) {
          const key = `${prefix}${writer}-${i}`;
          acknowledged.set(key, await create(store(), key));
        }
      });
      const asking = (async (): Promise<void> => {
        while (!stop.signal.aborted) {
          await store().requestProgress();
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      const seen = new Set<string>();
      const reading = (async (): Promise<void> => {
        while (seen.size < 1_200) {
          const batch = await watch.next();
          for (const { key } of batch!.events) seen.add(key);
          if (batch!.events.length > 0) continue;
          for (const [key, revision] of acknowledged) {
            if (revision <= batch!.revision) assert.ok(seen.has(key), `${key} was claimed`);
          }
        }
      })();
      await Promise.all(writers);
      await reading;
      stop.abort();
      await asking;
      await watch.close();
    });

    it('go on from any revision as if they had never stopped', async () => {
      const prefix = ownPrefix();
      const from = await following(store());
      const stop = new AbortController();
      const writer = (async (): Promise<number> => {
        let i = 0;
        for (; !stop.signal.aborted || i < 200; i++) await create(store(), `${prefix}${i}`);
        return i;
      })();
      const events: StoreEvent[] = [];
      let next = from;
      for (let session = 0; session < 25; session++) {
        const watch = new WatchReader(store(), prefix, next);
        const batch = await watch.next();
        events.push(...batch!.events);
        next = nextRevision(watch.revision);
        await watch.close();
      }
      stop.abort();
      const count = await writer;
      const watch = new WatchReader(store(), prefix, next);
      if (count > events.length) events.push(...(await watch.until(count - events.length)));
      await watch.close();
      assert.deepEqual(
        names(events),
        Array.from({ length: count }, (_, i) => `${prefix}${i}`),
      );
    });
  });

  describe('time to live', () => {
    it('lets a key vanish by itself, not too early, with an event', async () => {
      const prefix = ownPrefix();
      const watch = new WatchReader(store(), prefix, await following(store()));
      const writtenAt = performance.now();
      const outcome = await store().create(`${prefix}a`, bytes('a'), { ttlSeconds: 1 });
      const revision = done(outcome);
      const events = await watch.until(2);
      assert.ok(performance.now() - writtenAt >= 1_000);
      assert.deepEqual(events[1], {
        type: 'delete',
        key: `${prefix}a`,
        revision: events[1]!.revision,
        previous: { key: `${prefix}a`, value: bytes('a'), revision },
      });
      assert.equal((await store().get(`${prefix}a`)).item, undefined);
      await watch.close();
    });

    it('counts from the last write, and ends with one that sets none', async () => {
      const prefix = ownPrefix();
      const key = `${prefix}kept`;
      const first = done(await store().create(key, bytes('1'), { ttlSeconds: 1 }));
      const second = done(await store().update(key, bytes('2'), first, { ttlSeconds: 3_600 }));
      const forever = done(await store().create(`${prefix}forever`, bytes('1'), { ttlSeconds: 1 }));
      done(await store().update(`${prefix}forever`, bytes('2'), forever));
      done(await store().create(`${prefix}canary`, bytes('1'), { ttlSeconds: 1 }));
      await eventually('the canary vanishes', async () => {
        return (await store().get(`${prefix}canary`)).item === undefined ? true : undefined;
      });
      assert.equal((await store().get(key)).item!.revision, second);
      assert.equal((await store().get(`${prefix}forever`)).item!.value.toString(), '2');
    });
  });
}

function names(events: readonly StoreEvent[]): string[] {
  return events.map(({ key }) => key);
}
