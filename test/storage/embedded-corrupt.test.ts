import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkEmbeddedStore } from '../../storage/embedded/check.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import type { EmbeddedStore } from '../../storage/embedded/store.ts';
import type { StoreError } from '../../storage/errors.ts';
import { bytes, create, rejectsWith, WatchReader } from '../contract/store-kit.ts';
import { zeroPages } from './embedded-pages.ts';

/** What is on each page of the tables but those that only opening reads. */
const OBJECT = 'object-of-the-test';
/** On the page that holds the roots of all tables. */
const TABLE_NAME = 'versions';

describe('embedded: a corrupted data file', () => {
  let dir: string;
  let file: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plinth-corrupt-'));
    file = join(dir, 'store.mdb');
    const store = await openEmbeddedStore({ dir });
    await create(store, OBJECT, '{}');
    await store.close();
  });
  afterEach(() => rm(dir, { recursive: true }));

  const isReported = (error: StoreError): void => {
    assert.match(error.message, /^the data file .+ is corrupted \(MDB_[A-Z_]+: .+\): check it/);
    assert.ok(error.message.includes(file));
  };

  const uses: Record<string, (store: EmbeddedStore) => Promise<unknown>> = {
    get: (store) => store.get(OBJECT),
    'get of the past': async (store) =>
      store.get(OBJECT, { revision: await store.currentRevision() }),
    list: (store) => store.list({ prefix: '' }),
    'list of keys with a count': (store) =>
      store.list({ prefix: 'none', keysOnly: true, count: true }),
    create: (store) => store.create('other', bytes('{}')),
    'create that expires': (store) => store.create('other', bytes('{}'), { ttlSeconds: 10 }),
    watch: async (store) => new WatchReader(store, '', 2n as never).next(),
    compact: async (store) => {
      await store.compact(await store.currentRevision());
      // Compaction clears away behind the answer, and then meets the damage.
      return store.get(OBJECT);
    },
  };
  for (const [name, use] of Object.entries(uses)) {
    it(`is reported once and clearly by a ${name}`, async () => {
      const reported: StoreError[] = [];
      const store = await openEmbeddedStore({ dir, onCorrupt: (error) => reported.push(error) });
      assert.ok(zeroPages(file, OBJECT) > 0);
      isReported((await rejectsWith(use(store), 'corrupt')) as StoreError);
      await rejectsWith(use(store), 'corrupt');
      assert.equal(reported.length, 1);
      await store.close();
    });
  }

  it('that cannot be opened is reported in one line', async () => {
    assert.ok(zeroPages(file, TABLE_NAME) > 0);
    isReported((await rejectsWith(openEmbeddedStore({ dir }), 'corrupt')) as StoreError);
  });

  it('is reported in one line by a check', async () => {
    zeroPages(file, OBJECT);
    const checking = checkEmbeddedStore(dir, { remove: true });
    isReported((await rejectsWith(checking, 'corrupt')) as StoreError);
  });
});
