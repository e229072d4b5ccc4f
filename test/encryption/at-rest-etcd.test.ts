import { TestEtcd } from '../support/etcd.ts';
import { describeAtRest } from './at-rest.ts';

describeAtRest('etcd', async () => {
  const etcd = await TestEtcd.start();
  return { args: ['--etcd-servers', etcd.url], etcd };
});
