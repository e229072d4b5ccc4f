import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';

describe('--workers', function () {
  this.timeout(60_000);
  let etcd: TestEtcd;
  let plinth: Plinth;
  before(async () => {
    etcd = await TestEtcd.start();
    plinth = await Plinth.start({ args: ['--etcd-servers', etcd.url, '--workers', '2'] });
  });
  after(async () => {
    await plinth.dispose();
    await etcd.dispose();
  });

  const workers = (): number[] =>
    execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === plinth.pid)
      .map(([pid]) => pid!);

  /** Every request of its own connection: the workers take turns. */
  async function get(path: string): Promise<{ status: number; json: any }> {
    plinth.disconnect();
    return plinth.get(path);
  }

  /** Processes that have answered, told apart by when they started. */
  async function answering(): Promise<number> {
    const starts = new Set<string>();
    for (let i = 0; i < 8; i++) {
      plinth.disconnect();
      const { text } = await plinth.get('/metrics');
      starts.add(/^process_start_time_seconds (\S+)/m.exec(text)![1]!);
    }
    return starts.size;
  }

  it('serves one port from several processes, and each shows what the others have written', async () => {
    await eventually(async () => (await answering()) === 2, 'both workers');
    for (let i = 0; i < 20; i++) {
      plinth.disconnect();
      const name = `w${i}`;
      assert.equal((await plinth.send('POST', LEASES, { metadata: { name } })).status, 201);
      assert.equal((await get(`${LEASES}/${name}`)).status, 200, 'read your own write');
    }
    assert.equal((await get(LEASES)).json.items.length, 20);
  });

  it('replaces a worker that was killed', async () => {
    const before = workers();
    process.kill(before[0]!, 'SIGKILL');
    await eventually(() => {
      const now = workers();
      return now.length === 2 && !now.includes(before[0]!);
    }, 'another worker in its place');
    await eventually(async () => (await answering()) === 2, 'both workers');
  });

  it('stops in good order', async () => {
    const pids = workers();
    assert.equal(await plinth.stop(), 0);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });
});
