import { openStore } from '../../storage/open.ts';
import { describeStoreContract } from '../contract/store.ts';
import { findEtcd } from '../support/etcd-binary.ts';
import { TestEtcd } from '../support/etcd.ts';

describeStoreContract({
  name: 'etcd',
  async open() {
    const { path, version } = await findEtcd();
    console.log(`etcd ${version} (${path})`);
    const etcd = await TestEtcd.start();
    const store = await openStore({ kind: 'etcd', endpoints: [etcd.url] });
    return {
      store,
      async close() {
        await store.close();
        await etcd.dispose();
      },
    };
  },
});
