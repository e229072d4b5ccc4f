import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../storage/open.ts';
import { describeStoreContract } from '../contract/store.ts';

describeStoreContract({
  name: 'embedded',
  async open() {
    const dir = await mkdtemp(join(tmpdir(), 'plinth-store-'));
    const store = await openStore({ kind: 'embedded', dir });
    return {
      store,
      async close() {
        await store.close();
        await rm(dir, { recursive: true });
      },
    };
  },
});
