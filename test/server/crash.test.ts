import { TestEtcd } from '../support/etcd.ts';
import { Plinth } from '../support/plinth.ts';
import { crashUnderLoad } from './crash-load.ts';

describe('G10 durability: kill -9 during 1,000 concurrent writes with 50 watchers loses and repeats nothing', function () {
  it('the server, on the embedded store', async () => {
    const plinth = await Plinth.start();
    try {
      await crashUnderLoad(plinth, async () => {
        await plinth.stop('SIGKILL');
        await plinth.start();
      });
    } finally {
      await plinth.dispose();
    }
  });

  it('the server, on etcd', async () => {
    const etcd = await TestEtcd.start();
    const plinth = await Plinth.start({ args: ['--etcd-servers', etcd.url] });
    try {
      await crashUnderLoad(plinth, async () => {
        await plinth.stop('SIGKILL');
        await plinth.start();
      });
    } finally {
      await plinth.dispose();
      await etcd.dispose();
    }
  });

  it('etcd', async () => {
    const etcd = await TestEtcd.start();
    const plinth = await Plinth.start({ args: ['--etcd-servers', etcd.url] });
    try {
      await crashUnderLoad(plinth, async () => {
        await etcd.kill();
        await etcd.start();
      });
    } finally {
      await plinth.dispose();
      await etcd.dispose();
    }
  });
});
