import assert from 'node:assert/strict';
import { revisionOf } from '../../api/revision.ts';
import {
  MAX_BATCH,
  type BatchOperation,
  type CreateOutcome,
  type Guard,
  type Store,
} from '../../storage/interface.ts';
import { bytes, conflictValue, create, done, ownPrefix } from './store-kit.ts';

/** What create, update, delete and batch promise. */
export function describeWrites(store: () => Store): void {
  describe('writes', () => {
    it('creates a key once and shows what stands in the way', async () => {
      const key = `${ownPrefix()}a`;
      const first = await store().create(key, bytes('one'));
      const revision = done(first);
      const second = await store().create(key, bytes('two'));
      assert.deepEqual(second, {
        outcome: 'exists',
        current: { key, value: bytes('one'), revision },
      });
      assert.deepEqual((await store().get(key)).item, { key, value: bytes('one'), revision });
    });

    it('updates only what was last written at the expected revision', async () => {
      const key = `${ownPrefix()}a`;
      const first = await create(store(), key, 'one');
      const second = done(await store().update(key, bytes('two'), first));
      assert.ok(second > first);
      assert.equal(conflictValue(await store().update(key, bytes('three'), first)), 'two');
      const missing = await store().update(`${key}x`, bytes('three'), second);
      assert.deepEqual(missing, { outcome: 'missing' });
      assert.deepEqual((await store().get(key)).item, {
        key,
        value: bytes('two'),
        revision: second,
      });
    });

    it('deletes only what was last written at the expected revision', async () => {
      const key = `${ownPrefix()}a`;
      const first = await create(store(), key, 'one');
      const second = done(await store().update(key, bytes('two'), first));
      assert.equal(conflictValue(await store().delete(key, first)), 'two');
      const gone = done(await store().delete(key, second));
      assert.ok(gone > second);
      assert.deepEqual(await store().delete(key, second), { outcome: 'missing' });
      assert.equal((await store().get(key)).item, undefined);
    });

    it('does not take the key of a new life for the one of an old life', async () => {
      const key = `${ownPrefix()}a`;
      const first = await create(store(), key);
      done(await store().delete(key, first));
      const second = await create(store(), key, 'again');
      assert.ok(second > first);
      assert.equal((await store().update(key, bytes('x'), first)).outcome, 'conflict');
      assert.equal((await store().delete(key, first)).outcome, 'conflict');
    });

    it('creates only while a guard was last written at the expected revision', async () => {
      const prefix = ownPrefix();
      const guardKey = `${prefix}guard`;
      const first = await create(store(), guardKey, 'one');
      const guards = [{ key: guardKey, revision: first }];
      done(await store().create(`${prefix}a`, bytes('a'), { guards }));
      const second = done(await store().update(guardKey, bytes('two'), first));
      const refused = await store().create(`${prefix}b`, bytes('b'), { guards });
      assert.deepEqual(refused, { outcome: 'guarded', guard: guards[0] });
      assert.equal((await store().get(`${prefix}b`)).item, undefined);
      assert.equal(await store().currentRevision(), second, 'a refused create gets no revision');
      // what exists is told first: that answer holds whatever the guard does
      assert.equal((await store().create(`${prefix}a`, bytes('x'), { guards })).outcome, 'exists');
      done(await store().delete(guardKey, second));
      const guard = { key: guardKey, revision: second };
      const gone = await store().create(`${prefix}b`, bytes('b'), { guards: [guard] });
      assert.deepEqual(gone, { outcome: 'guarded', guard });
      assert.equal((await store().get(`${prefix}b`)).item, undefined);
    });

    it('creates only while all guards hold, and names the first that does not', async () => {
      const prefix = ownPrefix();
      const keys = ['first', 'second', 'third'].map((name) => `${prefix}${name}`);
      const guards: Guard[] = [];
      for (const key of keys) guards.push({ key, revision: await create(store(), key, 'old') });
      const attempt = (): Promise<CreateOutcome> =>
        store().create(`${prefix}a`, bytes('a'), { guards });
      const third = done(await store().update(keys[2]!, bytes('new'), guards[2]!.revision));
      assert.deepEqual(await attempt(), { outcome: 'guarded', guard: guards[2] });
      done(await store().delete(keys[1]!, guards[1]!.revision));
      assert.deepEqual(await attempt(), { outcome: 'guarded', guard: guards[1] });
      guards[1] = { key: keys[1]!, revision: await create(store(), keys[1]!, 'again') };
      assert.deepEqual(await attempt(), { outcome: 'guarded', guard: guards[2] });
      guards[2] = { key: keys[2]!, revision: third };
      done(await attempt());
    });

    it('guards against what happens at the same time: nothing is created behind the change', async () => {
      for (let round = 0; round < 10; round++) {
        const prefix = ownPrefix();
        const guardKey = `${prefix}guard`;
        const revision = await create(store(), guardKey);
        const guards = [{ key: guardKey, revision }];
        const creating = Array.from({ length: 20 }, (_, i) =>
          store().create(`${prefix}${i}`, bytes('x'), { guards }),
        );
        const changed = done(await store().update(guardKey, bytes('changed'), revision));
        for (const outcome of await Promise.all(creating)) {
          if (outcome.outcome === 'ok') assert.ok(outcome.revision < changed);
          else assert.equal(outcome.outcome, 'guarded');
        }
      }
    });

    it('creates together with updates of other keys, all or nothing, at one revision', async () => {
      const prefix = ownPrefix();
      const [one, two] = [`${prefix}one`, `${prefix}two`];
      const first = await create(store(), one, 'old');
      const second = await create(store(), two, 'old');
      const updates = [
        { key: one, value: bytes('new'), expected: first },
        { key: two, value: bytes('new'), expected: second },
      ];
      const revision = done(await store().create(`${prefix}a`, bytes('a'), { updates }));
      for (const key of [`${prefix}a`, one, two]) {
        assert.equal((await store().get(key)).item?.revision, revision);
      }
      assert.deepEqual(await store().create(`${prefix}b`, bytes('b'), { updates }), {
        outcome: 'outdated',
      });
      assert.equal((await store().get(`${prefix}b`)).item, undefined);
      const exists = await store().create(`${prefix}a`, bytes('b'), { updates });
      assert.equal(exists.outcome, 'exists', 'what exists is told first');
      done(await store().delete(two, revision));
      const gone = [{ key: one, value: bytes('x'), expected: revision }, updates[1]!];
      const refused = await store().create(`${prefix}b`, bytes('b'), { updates: gone });
      assert.deepEqual(refused, { outcome: 'outdated' });
      assert.deepEqual((await store().get(one)).item?.value, bytes('new'));
    });

    it('a key that is updated with a create that expires does not expire', async () => {
      const prefix = ownPrefix();
      const first = await create(store(), `${prefix}lasting`, 'old');
      const updates = [{ key: `${prefix}lasting`, value: bytes('new'), expected: first }];
      const how = { updates, ttlSeconds: 1 };
      done(await store().create(`${prefix}short`, bytes('a'), how));
      for (let gone = false; !gone;) {
        gone = (await store().get(`${prefix}short`)).item === undefined;
        if (!gone) await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.deepEqual((await store().get(`${prefix}lasting`)).item?.value, bytes('new'));
    });

    it('gives no revision to a write that changes nothing', async () => {
      const key = `${ownPrefix()}a`;
      const revision = await create(store(), key);
      await store().create(key, bytes('x'));
      await store().update(key, bytes('x'), revisionOf(1n));
      await store().delete(`${key}x`, revision);
      await store().batch([{ op: 'create', key, value: bytes('x') }]);
      assert.equal(await store().currentRevision(), revision);
    });

    it('lets exactly one of many writers win, and counts without loss', async () => {
      const key = `${ownPrefix()}counter`;
      await create(store(), key, '0');
      const increment = async (): Promise<void> => {
        for (;;) {
          const { item } = await store().get(key);
          const next = String(Number(item!.value.toString()) + 1);
          const outcome = await store().update(key, bytes(next), item!.revision);
          if (outcome.outcome === 'ok') return;
        }
      };
      await Promise.all(Array.from({ length: 30 }, increment));
      assert.equal((await store().get(key)).item!.value.toString(), '30');
    });

    it('keeps keys and values as they are', async () => {
      const prefix = ownPrefix();
      const names = ['é', '漢字', '😀', 'a b', '%2f', '..', '__proto__', 'x'.repeat(900)];
      const value = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
      for (const name of names) done(await store().create(prefix + name, value));
      done(await store().create(`${prefix}empty`, new Uint8Array(0)));
      for (const name of names) {
        assert.deepEqual((await store().get(prefix + name)).item!.value, value);
      }
      assert.equal((await store().get(`${prefix}empty`)).item!.value.length, 0);
      const view = new Uint8Array([9, 1, 2, 9]).subarray(1, 3);
      done(await store().create(`${prefix}view`, view));
      assert.deepEqual([...(await store().get(`${prefix}view`)).item!.value], [1, 2]);
    });

    it('refuses invalid keys', async () => {
      for (const key of ['', 'a\u0000b']) {
        await assert.rejects(async () => store().create(key, bytes('x')), /not a key/);
      }
    });
  });

  describe('batches', () => {
    it('write all operations at one revision', async () => {
      const prefix = ownPrefix();
      const a = await create(store(), `${prefix}a`);
      const b = await create(store(), `${prefix}b`);
      const revision = done(
        await store().batch([
          { op: 'update', key: `${prefix}a`, value: bytes('a2'), expected: a },
          { op: 'delete', key: `${prefix}b`, expected: b },
          { op: 'create', key: `${prefix}c`, value: bytes('c') },
        ]),
      );
      assert.equal(revision, await store().currentRevision());
      const { items } = await store().list({ prefix });
      assert.deepEqual(
        items.map((item) => [item.key, item.value.toString(), item.revision]),
        [
          [`${prefix}a`, 'a2', revision],
          [`${prefix}c`, 'c', revision],
        ],
      );
    });

    it('write nothing when one condition fails, and name the first that does', async () => {
      const prefix = ownPrefix();
      const a = await create(store(), `${prefix}a`, 'a');
      const conflict = await store().batch([
        { op: 'create', key: `${prefix}new`, value: bytes('x') },
        { op: 'delete', key: `${prefix}none`, expected: a },
        { op: 'create', key: `${prefix}a`, value: bytes('x') },
      ]);
      assert.deepEqual(conflict, { outcome: 'conflict', key: `${prefix}none` });
      const exists = await store().batch([
        { op: 'create', key: `${prefix}new`, value: bytes('x') },
        { op: 'create', key: `${prefix}a`, value: bytes('x') },
      ]);
      assert.deepEqual(exists, {
        outcome: 'conflict',
        key: `${prefix}a`,
        current: { key: `${prefix}a`, value: bytes('a'), revision: a },
      });
      assert.equal((await store().list({ prefix })).items.length, 1);
      assert.equal(await store().currentRevision(), a);
    });

    it('take as many operations as promised, and no more', async () => {
      const prefix = ownPrefix();
      const operations = Array.from({ length: MAX_BATCH }, (_, i): BatchOperation => {
        return { op: 'create', key: `${prefix}${i}`, value: bytes('x') };
      });
      done(await store().batch(operations));
      const more: BatchOperation = { op: 'create', key: `${prefix}more`, value: bytes('x') };
      await assert.rejects(store().batch([...operations, more]), RangeError);
      await assert.rejects(store().batch([]), RangeError);
      await assert.rejects(store().batch([more, more]), RangeError);
    });
  });
}
