import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkEmbeddedStore } from '../../storage/embedded/check.ts';
import { Environment } from '../../storage/embedded/environment.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import { encodePosition } from '../../storage/embedded/record.ts';
import type { StoreError } from '../../storage/errors.ts';
import type { Revision } from '../../api/revision.ts';
import { bytes, create, done, following, rejectsWith, WatchReader } from '../contract/store-kit.ts';
import { inspect } from './embedded-inspect.ts';

const KIND_AT = 0;
const CHECKSUM_AT = 13;
const CHECKSUM_BYTES = 4;

describe('embedded: a damaged record', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plinth-damage-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  /** Changes the record of a revision as a broken disk would, or as an older version wrote it. */
  async function rewrite(revision: Revision, change: (record: Buffer) => Buffer): Promise<void> {
    const environment = new Environment(join(dir, 'store.mdb'), 64 * 1024 * 1024);
    await environment.transaction(() => {
      const position = encodePosition({ revision, index: 0 });
      const record = Buffer.from(environment.tables.log.get(position)!);
      environment.tables.log.putSync(position, change(record));
    });
    await environment.close();
  }

  const flipped = (at: number) => (record: Buffer) => {
    const offset = at < 0 ? record.length + at : at;
    record[offset] = record[offset]! ^ 1;
    return record;
  };

  it('is detected wherever a byte of a record flips, and affects no other object', async () => {
    let store = await openEmbeddedStore({ dir });
    await create(store, 'a', '{}');
    const revision = await create(store, 'b', '{"value":12345}');
    await create(store, 'c', '{}');
    await store.close();
    // In the kind, the previous position, the length of the key, the checksum, the key, the value.
    for (const at of [1, 12, CHECKSUM_AT, 17, -2]) {
      await rewrite(revision, flipped(at));
      store = await openEmbeddedStore({ dir });
      const { items } = await store.list({ prefix: '' });
      assert.deepEqual(
        items.map(({ key, value }) => [key, value.toString()]),
        [
          ['a', '{}'],
          ['b', ''],
          ['c', '{}'],
        ],
        `byte ${at}`,
      );
      assert.equal((await store.get('b')).item!.value.length, 0);
      await store.close();
      await rewrite(revision, flipped(at));
    }
    await inspect(dir);
  });

  it('in the log is history that is gone: a watch from before it is told so, one behind it goes on', async () => {
    let store = await openEmbeddedStore({ dir });
    const from = await following(store);
    await create(store, 'a', '{}');
    const damaged = await create(store, 'b', '{}');
    const last = await create(store, 'c', '{}');
    await store.close();
    await rewrite(damaged, flipped(-1));
    store = await openEmbeddedStore({ dir });
    const before = new WatchReader(store, '', from);
    await before.until(1);
    const error = await rejectsWith(before.next(), 'compacted');
    assert.equal((error as StoreError).compactRevision, damaged);
    const behind = new WatchReader(store, '', last);
    assert.equal((await behind.until(1))[0]!.key, 'c');
    await behind.close();
    await store.close();
  });

  it('is found by a check, which removes it when asked to', async () => {
    const store = await openEmbeddedStore({ dir });
    await create(store, 'a', '{}');
    const damaged = await create(store, 'b', '{}');
    const text = await create(store, 'c', 'not an object');
    await store.close();
    await rewrite(damaged, flipped(-1));
    const found = [
      { key: 'b', revision: damaged },
      { key: 'c', revision: text },
    ];
    assert.deepEqual(await checkEmbeddedStore(dir, { remove: false }), {
      objects: 3,
      damaged: found,
    });
    assert.deepEqual((await checkEmbeddedStore(dir, { remove: true })).damaged, found);
    assert.deepEqual(await checkEmbeddedStore(dir, { remove: false }), { objects: 1, damaged: [] });
  });

  it('is not what an older version wrote: records without a checksum stay readable', async () => {
    let store = await openEmbeddedStore({ dir });
    const first = await create(store, 'a', '{"old":true}');
    await store.close();
    await rewrite(first, (record) => {
      record[KIND_AT] = record[KIND_AT]! & 0x7f;
      const rest = record.subarray(CHECKSUM_AT + CHECKSUM_BYTES);
      return Buffer.concat([record.subarray(0, CHECKSUM_AT), rest]);
    });
    store = await openEmbeddedStore({ dir });
    assert.equal((await store.get('a')).item!.value.toString(), '{"old":true}');
    const second = done(await store.update('a', bytes('{"old":false}'), first));
    const watch = new WatchReader(store, '', second);
    const [event] = await watch.until(1);
    assert.equal(event!.previous!.value.toString(), '{"old":true}');
    await watch.close();
    await store.close();
    await inspect(dir);
  });
});
