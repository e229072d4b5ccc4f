import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isStoreError } from '../../storage/errors.ts';
import { openStore } from '../../storage/open.ts';
import { create, rejectsWith } from '../contract/store-kit.ts';
import { TestEtcd } from '../support/etcd.ts';
import { freePorts } from '../support/ports.ts';

/** The way the server opens its store: by options, with one line when it cannot. */
describe('opening a store', () => {
  it('opens the kind that is asked for', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'plinth-open-'));
    const etcd = await TestEtcd.start();
    const stores = [
      await openStore({ kind: 'embedded', dir: join(dir, 'a', 'b') }),
      await openStore({ kind: 'etcd', endpoints: [etcd.url] }),
    ];
    for (const store of stores) await create(store, 'a');
    const kinds = await Promise.all(stores.map((store) => store.describe()));
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['embedded', 'etcd'],
    );
    for (const store of stores) await store.close();
    await etcd.dispose();
    await rm(dir, { recursive: true });
  });

  it('fails with a StoreError that callers recognise, in one line', async () => {
    const [port] = await freePorts(1);
    const endpoints = [`http://127.0.0.1:${port}`];
    const error = await rejectsWith(openStore({ kind: 'etcd', endpoints }), 'unavailable');
    assert.ok(isStoreError(error));
    assert.doesNotMatch(error.message, /\n/);
    const nowhere = openStore({ kind: 'embedded', dir: '/proc/self/status/data' });
    assert.doesNotMatch((await rejectsWith(nowhere, 'unavailable')).message, /\n/);
  });
});
