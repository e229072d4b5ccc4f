import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { residentMiB } from '../../bench/load/process.ts';
import { SilentWatcher } from '../../bench/load/silent-watcher.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { install } from '../support/custom.ts';
import { tokenUsers } from '../support/token-users.ts';

const users = tokenUsers(['noisy', 'quiet']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const REVIEWS = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
const MIB = 1024 * 1024;
/** Of one user's clients, in each process. */
const MOST_UNSENT = 32 * MIB;
/** Connections in a row go to the workers in turn. */
const CONNECTIONS = 4;
const PIPELINED = 2_000;
/** More than the buffers of the system hold. */
const UNREAD = 200_000;
const WATCHES = 160;
const UPDATES = 4;
const LARGE_BYTES = 1.4 * MIB;
/** Of one event, for each watch of a worker. */
const COPIES_MIB = ((WATCHES / 2) * LARGE_BYTES) / MIB;

describe('attacks on several workers', function () {
  let etcd: TestEtcd;
  let plinth: Plinth;
  let pids: readonly string[];
  before(async () => {
    etcd = await TestEtcd.start();
    plinth = await Plinth.start({
      args: [...users.args, '--etcd-servers', etcd.url, '--workers', '2'],
    });
    await eventually(async () => {
      const { text } = await get('/metrics');
      return ['0', '1'].every((worker) => text.includes(`worker="${worker}"`));
    }, 'both workers');
    pids = workers();
    assert.equal(pids.length, 2);
  });
  afterEach(async () => {
    for (let i = 0; i < CONNECTIONS; i++) {
      assert.equal((await get(LEASES, users.as('quiet'))).status, 200, 'others are served');
    }
    assert.deepEqual(workers(), pids, 'no worker has ended');
  });
  after(async () => {
    // Workers of a supervisor that was killed end a moment after it.
    await plinth.stop();
    await plinth.dispose();
    await etcd.dispose();
  });

  /** Of a connection of its own. */
  function get(path: string, headers = {}): ReturnType<Plinth['get']> {
    plinth.disconnect();
    return plinth.get(path, { connection: 'close', ...headers });
  }

  const workers = (): readonly string[] =>
    execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, parent]) => parent === String(plinth.pid))
      .map(([pid = '']) => pid);

  it('thousands of pipelined health checks are answered one by one, and logged by none', async () => {
    const logged = plinth.output.length;
    const clients = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => RawClient.open(plinth.url)),
    );
    for (const client of clients) client.send(head('GET', '/healthz', {}).repeat(PIPELINED));
    const answers = (client: RawClient): string[] =>
      client.received.match(/^HTTP\/1\.1 .*$/gm) ?? [];
    await eventually(
      () => clients.every((client) => answers(client).length === PIPELINED),
      'all answers',
    );
    for (const client of clients) {
      assert.deepEqual([...new Set(answers(client))], ['HTTP/1.1 200 OK']);
      client.close();
    }
    assert.equal(plinth.output.length, logged, plinth.output.slice(logged, logged + 500));
  });

  it('of health checks whose answers are not read a few are taken, and the rest is not read', async () => {
    const clients = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => RawClient.open(plinth.url)),
    );
    for (const client of clients) {
      client.socket.pause();
      client.send(head('GET', '/healthz', {}).repeat(UNREAD));
    }
    const unsent = (): string => clients.map(({ socket }) => socket.writableLength).join();
    let before = '';
    await eventually(async () => {
      const since = before;
      before = unsent();
      for (let i = 0; i < 20; i++) await get(LEASES, users.as('quiet'));
      return since === before;
    }, 'the servers read no more');
    for (const { socket } of clients) {
      assert.ok(socket.writableLength > 0, unsent());
      socket.destroy();
    }
  });

  it('bodies and selectors beyond their bounds are refused by each', async () => {
    const large = ' '.repeat(3 * MIB + 1);
    const terms = Array.from({ length: 1_001 }, (_, i) => `k${i}!=v`).join(',');
    const wide = Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`).join(',');
    const as = { ...users.as('noisy'), connection: 'close' };
    for (let i = 0; i < CONNECTIONS; i++) {
      plinth.disconnect();
      assert.equal((await plinth.send('POST', REVIEWS, large, as)).status, 413);
      const refused = await plinth.send('POST', REVIEWS, `{"spec":{},${wide}}`, as);
      assert.ok([400, 413].includes(refused.status), refused.text);
      const list = await get(`${LEASES}?labelSelector=${encodeURIComponent(terms)}`, as);
      assert.equal(list.status, 400, list.text);
      const watch = await get(`${LEASES}?watch=1&labelSelector=${encodeURIComponent(terms)}`, as);
      assert.equal(watch.status, 400, watch.text);
    }
  });

  it('watches that are not read hold no more than the budget of their user in each', async () => {
    const texts = await install(plinth, { plural: 'texts', kind: 'Text' });
    const object = { apiVersion: 'test.example.com/v1', kind: 'Text', metadata: { name: 'large' } };
    assert.equal((await plinth.send('POST', texts, object)).status, 201);
    const update = async (n: number): Promise<void> => {
      const spec = { text: `${n}:`.padEnd(LARGE_BYTES, 'x') };
      const type = { 'content-type': 'application/merge-patch+json' };
      const { status } = await plinth.send('PATCH', `${texts}/large`, { spec }, type);
      assert.equal(status, 200);
    };
    await update(0);
    const token = users.as('noisy').authorization.slice('Bearer '.length);
    const watches: SilentWatcher[] = [];
    try {
      for (let i = 0; i < WATCHES; i++) {
        watches.push(await SilentWatcher.open({ url: plinth.url, token }, `${texts}?watch=1`));
      }
      const resident = pids.map((pid) => residentMiB(Number(pid)));
      for (let n = 1; n <= UPDATES; n++) await update(n);
      const read = async (name: string): Promise<number[]> => {
        const { text } = await get('/metrics');
        const series = text.matchAll(new RegExp(`^${name}\\{worker="\\d"\\} (\\d+)`, 'gm'));
        return [...series].map(([, value]) => Number(value));
      };
      let held: number[] = [];
      await eventually(async () => {
        held = await read('plinth_unsent_bytes');
        return held.length === 2 && held.every((bytes) => bytes > 0);
      }, 'clients that read nothing, at each worker');
      for (const bytes of held) assert.ok(bytes <= MOST_UNSENT, String(held));
      const growth = pids.map((pid, i) => residentMiB(Number(pid)) - (resident[i] ?? 0));
      for (const mib of growth) assert.ok(mib < COPIES_MIB, `${growth.join()} of ${COPIES_MIB}`);
    } finally {
      for (const watch of watches) watch.close();
    }
  });
});
