import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
});
