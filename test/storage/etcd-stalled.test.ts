import assert from 'node:assert/strict';
import type { Revision } from '../../api/revision.ts';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import type { Store } from '../../storage/interface.ts';
import { create, ownPrefix, WatchReader } from '../contract/store-kit.ts';
import { TcpProxy } from '../support/etcd-proxy.ts';
import { TestEtcd } from '../support/etcd.ts';

const WRITES = 20;

describe('etcd: connections on which pings are answered, and calls are not', () => {
  let etcd: TestEtcd;
  let near: Store;
  before(async () => {
    etcd = await TestEtcd.start();
    near = await openEtcdStore({ endpoints: [etcd.url] });
  });
  after(async () => {
    await near.close();
    await etcd.dispose();
  });

  for (const [what, members] of [
    ['the only member', 1],
    ['one of two members', 2],
  ] as const) {
    it(`are given up: writes under way happen once, and watches go on (${what})`, async () => {
      const proxy = await TcpProxy.to(etcd.url);
      const endpoints = [proxy.url, etcd.url].slice(0, members);
      const store = await openEtcdStore({ endpoints });
      try {
        const prefix = ownPrefix();
        const from = ((await near.currentRevision()) + 1n) as Revision;
        const watch = new WatchReader(store, prefix, from);
        await create(store, `${prefix}first`);
        await watch.until(1);
        proxy.stall();
        const names = Array.from({ length: WRITES }, (_, i) => `${prefix}${i}`);
        const revisions = await Promise.all(names.map((name) => create(store, name)));
        const { items } = await near.list({ prefix });
        const revisionOf = new Map(items.map(({ key, revision }) => [key, revision]));
        const told = names.map((name) => revisionOf.get(name));
        assert.deepEqual(told, revisions);
        await watch.until(1 + WRITES);
        await watch.close();
      } finally {
        await store.close();
        await proxy.close();
      }
    });
  }
});
