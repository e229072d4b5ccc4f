import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { TestEtcd } from '../support/etcd.ts';
import { INSPECTABLE, Inspector, type Holdings } from '../support/inspector.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { tokenUsers } from '../support/token-users.ts';

const users = tokenUsers(['user']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const REQUESTS = 240;
const WATCHES = 60;
const ABORTED = 40;
/** Code is compiled, pools and caches fill. */
const WARM_ROUNDS = 3;
/** So many that a slab more or less (256 KiB) does not decide. */
const ROUNDS = 12;
/** Half a kilobyte for everything that a round does; each write stays in the history for a while. */
const MAX_GROWTH = ((REQUESTS + WATCHES + ABORTED) / 2) * 1024;
const SPARE_FILES = 2;

describe('G29: after load the server holds no more resources than before', function () {
  let etcd: TestEtcd;
  let plinth: Plinth;
  let inspector: Inspector;
  before(async () => {
    etcd = await TestEtcd.start();
    plinth = await Plinth.start({
      args: [...users.args, '--etcd-servers', etcd.url],
      nodeArgs: INSPECTABLE,
    });
    inspector = await Inspector.of(plinth);
  });
  after(async () => {
    inspector.close();
    await plinth.dispose();
    await etcd.dispose();
  });

  /** Requests that succeed and fail, watches that end in every way, clients that vanish. */
  async function load(): Promise<void> {
    const dry = { metadata: { name: 'dry' } };
    const asked: (() => Promise<{ status: number }>)[] = [
      () => plinth.get(LEASES),
      () => plinth.get(`${LEASES}?limit=1`),
      () => plinth.get(`${LEASES}/none`),
      () => plinth.send('POST', `${LEASES}?dryRun=All`, dry),
      () => plinth.send('POST', LEASES, '{"metadata":'),
      () => plinth.send('PATCH', `${LEASES}/none`, {}),
      () => plinth.get('/apis'),
      () => plinth.get('/nowhere'),
    ];
    for (let i = 0; i < REQUESTS; i += asked.length) {
      await Promise.all(asked.map((ask) => ask()));
    }
    const clients = await Promise.all(
      Array.from({ length: WATCHES + ABORTED }, () => RawClient.open(plinth.url)),
    );
    const watching = clients.slice(0, WATCHES);
    for (const [i, client] of watching.entries()) {
      const seconds = i % 3 === 0 ? '&timeoutSeconds=1' : '';
      client.send(head('GET', `${LEASES}?watch=1${seconds}`, users.as('user')));
    }
    for (const client of clients.slice(WATCHES)) {
      client.send(head('POST', LEASES, users.as('user'), 10_000));
    }
    await eventually(() => watching.every(({ status }) => status === 200), 'all watch');
    assert.equal((await plinth.send('POST', LEASES, { metadata: { name: 'seen' } })).status, 201);
    assert.equal((await plinth.send('DELETE', `${LEASES}/seen`)).status, 200);
    await eventually(() => watching.every((c) => c.received.includes('DELETED')), 'all have seen');
    const brief = watching.filter((_, i) => i % 3 === 0);
    await eventually(() => brief.every((c) => c.received.endsWith('\r\n0\r\n\r\n')), 'their end');
    for (const client of clients) client.close();
    plinth.disconnect();
  }

  const files = (): number => readdirSync(`/proc/${plinth.pid}/fd`).length;

  it('memory, files and handles are released', async () => {
    for (let i = 0; i < WARM_ROUNDS; i++) await load();
    const quiet = async (): Promise<Holdings> => {
      await eventually(
        async () => /^plinth_watch_streams 0$/m.test((await plinth.get('/metrics')).text),
        'the end of the watches',
      );
      return inspector.holdings();
    };
    const before = await quiet();
    const filesBefore = files();
    for (let i = 0; i < ROUNDS; i++) await load();
    let after = await quiet();
    await eventually(() => files() <= filesBefore + SPARE_FILES, 'files as before');
    // What the end of a connection leaves behind goes a moment later.
    await eventually(async () => {
      after = await inspector.holdings();
      return Object.entries(after.resources).every(
        ([name, count]) => count <= (before.resources[name] ?? 0) + SPARE_FILES,
      );
    }, 'handles as before').catch((error: unknown) => {
      throw new Error(JSON.stringify([before.resources, after.resources]), { cause: error });
    });
    const growth = (): number => (after.bytes - before.bytes) / ROUNDS;
    // What waits for a timer goes when that rings, on a busy machine later.
    await eventually(async () => {
      after = await inspector.holdings();
      return growth() < MAX_GROWTH;
    }, 'memory as before').catch((error: unknown) => {
      const message = `${Math.round(growth() / 1024)} KiB with every round`;
      throw new Error(message, { cause: error });
    });
  });
});
