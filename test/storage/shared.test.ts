import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../storage/open.ts';
import { describeStoreContract } from '../contract/store.ts';
import { OwnerProcess } from './owner-process.ts';

describeStoreContract({
  name: 'embedded, shared',
  async open() {
    const dir = await mkdtemp(join(tmpdir(), 'plinth-store-'));
    const owner = new OwnerProcess(dir);
    await owner.start();
    const store = await openStore({ kind: 'shared', dir });
    return {
      store,
      async close() {
        await store.close();
        await owner.stop();
        await rm(dir, { recursive: true });
      },
    };
  },
});
