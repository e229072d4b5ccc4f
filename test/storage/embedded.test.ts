import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Revision } from '../../api/revision.ts';
import type { CreateOutcome } from '../../storage/interface.ts';
import { openStore } from '../../storage/open.ts';
import { describeStoreContract } from '../contract/store.ts';
import type { StoreHarness } from '../contract/store-kit.ts';

async function open(): Promise<StoreHarness> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-store-'));
  const store = await openStore({ kind: 'embedded', dir });
  return {
    store,
    async close() {
      await store.close();
      await rm(dir, { recursive: true });
    },
  };
}

describeStoreContract({ name: 'embedded', open });

describe('the embedded store', () => {
  it('answers callers in turns: one write does not wait for the many of another', async () => {
    const opened = await open();
    const answered: string[] = [];
    const write = async (caller: string, i: number): Promise<void> => {
      await opened.store.create(`things/${caller}-${i}`, Buffer.from('{}'), { caller });
      answered.push(caller);
    };
    const noisy = Array.from({ length: 50 }, (_, i) => write('noisy', i));
    await Promise.all([...noisy, write('quiet', 0)]);
    await opened.close();
    assert.ok(answered.indexOf('quiet') <= 1, answered.join());
  });

  it('asks for guards as they are in the middle of a commit', async () => {
    const opened = await open();
    const { store } = opened;
    const value = Buffer.from('{}');
    const guarded = (name: string, revision: Revision): Promise<CreateOutcome> =>
      store.create(`things/${name}`, value, { guards: [{ key: 'spaces/a', revision }] });
    const made = await store.create('spaces/a', value);
    assert.ok(made.outcome === 'ok');
    const { revision } = made;
    // the first write is a commit of its own; the next four come while it is under way
    const outcomes = await Promise.all([
      store.create('things/first', value),
      guarded('before', revision),
      store.update('spaces/a', Buffer.from('{"deleted":true}'), revision),
      guarded('after', revision),
      store.delete('spaces/a', (revision + 3n) as Revision),
    ]);
    await opened.close();
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['ok', 'ok', 'ok', 'guarded', 'ok'],
    );
  });

  it('reads a revision shortly before the newest from the newest state, checksums and all', async () => {
    const opened = await open();
    const { store } = opened;
    const value = Buffer.from('{}');
    const names = ['a', 'b', 'c', 'd'].map((name) => `things/${name}`);
    for (const key of names) await store.create(key, value);
    const then = await store.list({ prefix: 'things/' });
    const [, b, c] = then.items;
    await store.delete('things/b', b!.revision);
    await store.update('things/c', Buffer.from('{"now":1}'), c!.revision);
    for (const key of ['things/aa', 'things/b', 'things/e']) await store.create(key, value);
    const { revision } = then;
    const list = await store.list({ prefix: 'things/', revision });
    assert.deepEqual([list.items, list.revision], [then.items, revision]);
    // What is read by the versions of each key has not been compared with its checksum.
    assert.deepEqual([list.checked, then.checked], [true, true]);
    const page = await store.list({ prefix: 'things/', revision, after: 'things/a', limit: 2 });
    assert.deepEqual([page.items, page.more], [then.items.slice(1, 3), true]);
    await opened.close();
  });
});
