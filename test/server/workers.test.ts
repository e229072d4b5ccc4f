import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { ask } from '../console/browser-requests.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';

describe('--workers', function () {
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
  async function get(path: string): Promise<{ status: number; json: any; text: string }> {
    plinth.disconnect();
    return plinth.get(path);
  }

  /** How many requests for leases each worker has counted, by its number. */
  async function counted(): Promise<Record<string, number>> {
    const { text } = await get('/metrics');
    const counts: Record<string, number> = {};
    const series = /^apiserver_request_total\{worker="(\d)",(.*)\} (\d+)$/gm;
    for (const [, worker = '', labels = '', count] of text.matchAll(series)) {
      if (!labels.includes('resource="leases"')) continue;
      counts[worker] = (counts[worker] ?? 0) + Number(count);
    }
    return counts;
  }

  /** Have both workers served a request that was sent from now on? */
  async function bothServe(): Promise<boolean> {
    const before = await counted();
    for (let i = 0; i < 8; i++) await get(`${LEASES}/none`);
    const after = await counted();
    return ['0', '1'].every((worker) => (after[worker] ?? 0) > (before[worker] ?? 0));
  }

  it('serves one port from several processes, and each shows what the others have written', async () => {
    await eventually(bothServe, 'both workers');
    for (let i = 0; i < 20; i++) {
      plinth.disconnect();
      const name = `w${i}`;
      assert.equal((await plinth.send('POST', LEASES, { metadata: { name } })).status, 201);
      assert.equal((await get(`${LEASES}/${name}`)).status, 200, 'read your own write');
    }
    assert.equal((await get(LEASES)).json.items.length, 20);
  });

  it('shows the metrics of all workers, whichever is asked, each under its number', async () => {
    const pages: string[] = [];
    for (let i = 0; i < 6; i++) pages.push((await get('/metrics')).text);
    // what a worker shows of its checks begins with the first probe that it answers
    for (let i = 0; i < 8; i++) await get('/readyz');
    pages.push((await get('/metrics/slis')).text);
    for (const text of pages) {
      const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
      assert.equal(new Set(names).size, names.length, 'a name has two heads');
      const workers = text.matchAll(/^[^#].*?\{worker="(\d+)"[,}]/gm);
      assert.deepEqual([...new Set([...workers].map(([, worker]) => worker))], ['0', '1']);
    }
  });

  it('counts attempts to sign in to the console over all workers', async () => {
    const began = performance.now();
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) {
      const headers = { 'x-plinth-console': '1' };
      const { status } = await ask(plinth, 'POST', '/console/session', headers, { token: 'wrong' });
      statuses.push(status);
    }
    const tried = statuses.filter((status) => status === 401).length;
    const allowed = 21 + (performance.now() - began) / 3_000;
    assert.ok(tried >= 20 && tried <= allowed, `${tried} of ${allowed.toFixed(1)} tried`);
    assert.deepEqual(new Set(statuses), new Set([401, 429]));
  });

  it('replaces a worker that was killed', async () => {
    const before = workers();
    process.kill(before[0]!, 'SIGKILL');
    await eventually(() => {
      const now = workers();
      return now.length === 2 && !now.includes(before[0]!);
    }, 'another worker in its place');
    await eventually(bothServe, 'both workers');
  });

  it('stops in good order', async () => {
    const pids = workers();
    assert.equal(await plinth.stop(), 0);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });
});
