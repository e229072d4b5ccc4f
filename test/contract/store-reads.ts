import assert from 'node:assert/strict';
import { nextRevision, revisionOf, type Revision } from '../../api/revision.ts';
import type { ListResult, Store } from '../../storage/interface.ts';
import { bytes, create, done, ownPrefix, rejectsWith } from './store-kit.ts';

function keysOf({ items }: ListResult, prefix: string): string[] {
  return items.map(({ key }) => key.slice(prefix.length));
}

/** What get, list and currentRevision promise. */
export function describeReads(store: () => Store): void {
  describe('reads', () => {
    it('show a revision at least as new as the call', async () => {
      const prefix = ownPrefix();
      for (let i = 0; i < 5; i++) {
        const revision = await create(store(), `${prefix}${i}`);
        assert.ok((await store().get(`${prefix}${i}`)).revision >= revision);
        assert.ok((await store().get(`${prefix}none`)).revision >= revision);
        assert.ok((await store().list({ prefix })).revision >= revision);
        assert.equal(await store().currentRevision(), revision);
        // where a store tells it at all
        assert.equal(store().newestRevision?.() ?? revision, revision);
      }
    });

    it('show exactly the state at a revision', async () => {
      const key = `${ownPrefix()}a`;
      const before = await store().currentRevision();
      const first = await create(store(), key, 'one');
      const second = done(await store().update(key, bytes('two'), first));
      const gone = done(await store().delete(key, second));
      const at = async (revision: Revision): Promise<string | undefined> => {
        const result = await store().get(key, { revision });
        assert.equal(result.revision, revision);
        const list = await store().list({ prefix: key, revision, count: true });
        assert.equal(list.revision, revision);
        assert.deepEqual(list.items, result.item === undefined ? [] : [result.item]);
        assert.equal(list.count, list.items.length);
        return result.item?.value.toString();
      };
      assert.equal(await at(before), undefined);
      assert.equal(await at(first), 'one');
      assert.equal(await at(second), 'two');
      assert.equal(await at(gone), undefined);
    });

    it('distinguish a future revision', async () => {
      const future = revisionOf((await store().currentRevision()) + 1_000n);
      await rejectsWith(store().get('x', { revision: future }), 'futureRevision');
      await rejectsWith(store().list({ prefix: 'x', revision: future }), 'futureRevision');
    });

    it('stop when the request is cancelled', async () => {
      const signal = AbortSignal.abort();
      await rejectsWith(store().get('x', { signal }), 'cancelled');
      await rejectsWith(store().list({ prefix: 'x', signal }), 'cancelled');
      await rejectsWith(store().currentRevision({ signal }), 'cancelled');
      const key = `${ownPrefix()}a`;
      await rejectsWith(store().create(key, bytes('x'), { signal }), 'cancelled');
      assert.equal((await store().get(key)).item, undefined);
    });
  });

  describe('lists', () => {
    it('hold the keys under the prefix, and no neighbour', async () => {
      const prefix = ownPrefix();
      const base = prefix.slice(0, -1);
      for (const key of [`${base}!`, `${base}0x`, base]) await create(store(), key);
      for (const key of ['b', 'a/2', 'a/1', 'a']) await create(store(), prefix + key);
      assert.deepEqual(keysOf(await store().list({ prefix }), prefix), ['a', 'a/1', 'a/2', 'b']);
      const below = await store().list({ prefix: `${prefix}a/` });
      assert.deepEqual(keysOf(below, prefix), ['a/1', 'a/2']);
      assert.deepEqual((await store().list({ prefix: `${prefix}c` })).items, []);
    });

    it('are in the order of the bytes', async () => {
      const prefix = ownPrefix();
      // As UTF-16, U+1F600 would come before U+FF5E.
      const names = ['A', 'a', 'z', 'é', '\uFF5E', '😀'];
      for (const name of names.toReversed()) await create(store(), prefix + name);
      assert.deepEqual(keysOf(await store().list({ prefix }), prefix), names);
      const after = await store().list({ prefix, after: `${prefix}\uFF5E` });
      assert.deepEqual(keysOf(after, prefix), ['😀']);
    });

    it('come in pages that count', async () => {
      const prefix = ownPrefix();
      for (const name of ['a', 'b', 'c', 'd', 'e']) await create(store(), prefix + name);
      const first = await store().list({ prefix, limit: 2, count: true });
      assert.deepEqual([keysOf(first, prefix), first.more, first.count], [['a', 'b'], true, 5]);
      const rest = { prefix, limit: 2, count: true, revision: first.revision };
      const second = await store().list({ ...rest, after: `${prefix}b` });
      assert.deepEqual([keysOf(second, prefix), second.more, second.count], [['c', 'd'], true, 3]);
      const third = await store().list({ ...rest, after: `${prefix}d` });
      assert.deepEqual([keysOf(third, prefix), third.more, third.count], [['e'], false, 1]);
      const behind = await store().list({ ...rest, after: `${prefix}zzz` });
      assert.deepEqual([behind.items, behind.more, behind.count], [[], false, 0]);
      const exact = await store().list({ prefix, limit: 5, count: true });
      assert.deepEqual([exact.items.length, exact.more, exact.count], [5, false, 5]);
      const upTo = `${prefix}d`;
      const within = await store().list({ prefix, after: `${prefix}b`, upTo, count: true });
      assert.deepEqual([keysOf(within, prefix), within.more, within.count], [['c', 'd'], false, 2]);
      const part = await store().list({ prefix, upTo, limit: 3, revision: first.revision });
      assert.deepEqual([keysOf(part, prefix), part.more], [['a', 'b', 'c'], true]);
      const none = await store().list({ prefix, after: upTo, upTo: `${prefix}b`, count: true });
      assert.deepEqual([none.items, none.more, none.count], [[], false, 0]);
      const foreign = await store().list({ prefix, after: 'a key elsewhere' });
      assert.equal(foreign.items.length, 5);
      assert.equal('count' in foreign, false);
    });

    it('have keys and revisions without values when nothing else is asked for', async () => {
      const prefix = ownPrefix();
      const first = await create(store(), `${prefix}a`, 'long ago');
      const second = await create(store(), `${prefix}b`, 'kept');
      await create(store(), `${prefix}c`, 'too new');
      for (const [revision, keys] of [
        [undefined, ['a', 'b', 'c']],
        [second, ['a', 'b']],
      ] as const) {
        const at = revision === undefined ? {} : { revision };
        const list = await store().list({ prefix, keysOnly: true, count: true, ...at });
        assert.deepEqual(keysOf(list, prefix), keys);
        assert.deepEqual([list.items[0]!.revision, list.items[1]!.revision], [first, second]);
        assert.ok(list.items.every(({ value }) => value.length === 0));
        assert.equal(list.count, keys.length);
      }
      assert.equal((await store().list({ prefix })).items[1]!.value.toString(), 'kept');
    });

    it('come in pages of the size that suits the store', async () => {
      const prefix = ownPrefix();
      const names = Array.from({ length: 900 }, (_, i) => `k${String(i).padStart(3, '0')}`);
      await Promise.all(names.map((name) => create(store(), prefix + name)));
      let page = await store().list({ prefix, limit: 'page' });
      const { revision } = page;
      const keys = keysOf(page, prefix);
      while (page.more) {
        assert.ok(page.items.length > 0, 'a page that others follow is not empty');
        const after = page.items.at(-1)!.key;
        page = await store().list({ prefix, limit: 'page', after, revision });
        keys.push(...keysOf(page, prefix));
      }
      assert.deepEqual(keys, names);
    });

    it('show every past state of keys that have changed often, seldom, and gone', async () => {
      const prefix = ownPrefix();
      const present = new Map<string, Revision>();
      const past: { revision: Revision; items: [string, Revision][] }[] = [];
      for (let i = 0; i < 700; i++) {
        // five keys change all the time, many others now and then
        const n = i % 2 === 0 ? i % 10 : 10 + ((i * 53) % 150);
        const key = `${prefix}k${String(n).padStart(3, '0')}`;
        const before = present.get(key);
        let revision: Revision;
        if (before === undefined) revision = await create(store(), key);
        else if (i % 3 === 0) revision = done(await store().delete(key, before));
        else revision = done(await store().update(key, bytes(`${i}`), before));
        if (before === undefined || i % 3 !== 0) present.set(key, revision);
        else present.delete(key);
        if (i % 41 === 0) past.push({ revision, items: [...present].sort() });
      }
      for (const { revision, items } of past) {
        for (const limit of [3, undefined]) {
          const options = { prefix, revision, ...(limit === undefined ? {} : { limit }) };
          let page = await store().list({ ...options, keysOnly: true, count: true });
          assert.equal(page.count, items.length);
          const shown = [...page.items];
          while (page.more) {
            page = await store().list({ ...options, after: shown.at(-1)!.key });
            shown.push(...page.items);
          }
          assert.deepEqual(
            shown.map((item) => [item.key, item.revision]),
            items,
          );
        }
      }
    });

    it('page through one revision while others write', async () => {
      const prefix = ownPrefix();
      const names = Array.from({ length: 60 }, (_, i) => `k${String(i).padStart(3, '0')}`);
      await Promise.all(names.map((name) => create(store(), prefix + name)));
      const stop = new AbortController();
      const writer = (async (): Promise<void> => {
        for (let i = 0; !stop.signal.aborted; i++) {
          const key = prefix + names[i % names.length]!;
          const { item } = await store().get(key);
          if (item === undefined) await store().create(key, bytes('back'));
          else if (i % 3 === 0) await store().delete(key, item.revision);
          else await store().update(key, bytes('new'), item.revision);
          await store().create(`${prefix}k${i}x`, bytes('more'));
        }
      })();
      const pinned = await store().list({ prefix, limit: 7 });
      const whole = await store().list({ prefix, revision: pinned.revision });
      const paged = [...pinned.items];
      for (let page = pinned; page.more;) {
        const after = page.items.at(-1)!.key;
        page = await store().list({ prefix, limit: 7, after, revision: pinned.revision });
        assert.equal(page.revision, pinned.revision);
        paged.push(...page.items);
      }
      stop.abort();
      await writer;
      assert.deepEqual(paged, whole.items);
      assert.ok(nextRevision(pinned.revision) < (await store().currentRevision()));
    });

    it('are whole however long they are', async () => {
      const prefix = ownPrefix();
      const count = 2_600;
      const value = Buffer.alloc(500, 'x');
      await Promise.all(
        Array.from({ length: count }, (_, i) => store().create(`${prefix}${i}`, value)),
      );
      const all = await store().list({ prefix, count: true });
      assert.deepEqual([all.items.length, all.more, all.count], [count, false, count]);
      assert.equal(new Set(all.items.map(({ key }) => key)).size, count);
      const most = await store().list({ prefix, limit: count - 1 });
      assert.deepEqual([most.items.length, most.more], [count - 1, true]);
      const old = await store().list({ prefix, revision: all.revision, limit: 1_500, count: true });
      assert.deepEqual([old.items.length, old.more, old.count], [1_500, true, count]);
    });
  });
}
