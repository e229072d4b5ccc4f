import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { revisionOf } from '../../api/revision.ts';
import { openStore } from '../../storage/open.ts';
import type { Store } from '../../storage/interface.ts';
import { describeStoreContract } from '../contract/store.ts';
import { create, type StoreHarness, WatchReader } from '../contract/store-kit.ts';
import { OwnerProcess } from './owner-process.ts';

const CLIENTS = 16;
const WRITES = 50;

async function open(): Promise<StoreHarness> {
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
}

/** Each read, of several clients at the same time, shows the write that was answered before it. */
async function readWhatIsWritten(store: Store): Promise<void> {
  const write = async (_: unknown, client: number): Promise<void> => {
    for (let i = 0; i < WRITES; i++) {
      const key = `fresh/${client}/${i}`;
      const revision = await create(store, key);
      const { item } = await store.get(key);
      assert.equal(item?.revision, revision, 'G1: a read shows less than was answered before it');
      assert.ok(
        (await store.currentRevision()) >= revision,
        'G1: the newest revision is an old one',
      );
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, write));
}

describe('a store of another process', () => {
  it('G1: shows in each read the write that was answered before it', async () => {
    const harness = await open();
    try {
      await readWhatIsWritten(harness.store);
    } finally {
      await harness.close();
    }
  });

  it('says of each value in the log that it was compared with its checksum', async () => {
    const harness = await open();
    const { store } = harness;
    const watch = new WatchReader(store, '', revisionOf(2n), { previous: false });
    await create(store, 'a');
    await create(store, 'b');
    await watch.until(2);
    assert.ok(watch.batches.every(({ checked }) => checked));
    await watch.close();
    await harness.close();
  });

  it('tells the newest revision at once, and none when it is closed', async () => {
    const harness = await open();
    const { store } = harness;
    const revision = await create(store, 'a');
    assert.equal(store.newestRevision?.(), revision);
    await harness.close();
    assert.equal(store.newestRevision(), undefined);
  });
});

describeStoreContract({
  name: 'embedded, shared',
  async open() {
    const harness = await open();
    try {
      // without this a watch of the contract would wait for ever, and the file with it
      await readWhatIsWritten(harness.store);
      return harness;
    } catch (error) {
      await harness.close();
      throw error;
    }
  },
});
