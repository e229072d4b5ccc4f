import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { COMPOSE_FILES } from '../deploy/compose-files.ts';
import { eventually } from '../support/plinth.ts';
import { plinthImage } from './images/plinth-image.ts';
import { run } from './images/shell.ts';
import { Stack } from './stack.ts';

/** To the next version, one server after the other, under constant requests. */
async function assertRolls(stack: Stack): Promise<void> {
  const next = 'plinth:next';
  await run('docker', ['tag', await plinthImage(), next]);
  const failures: string[] = [];
  const rolled = new AbortController();
  const asking = (async () => {
    while (!rolled.signal.aborted) {
      await stack
        .kubectl('get', '--raw', '/api/v1/namespaces?limit=1')
        .catch((error: unknown) => failures.push(String(error)));
    }
  })();
  try {
    await stack.follow('Rolling');
  } finally {
    rolled.abort();
    await asking;
  }
  for (const name of ['plinth-1', 'plinth-2']) {
    const id = await stack.container(name);
    const image = await run('docker', ['inspect', '-f', '{{.Config.Image}}', id]);
    assert.equal(image.trim(), next);
  }
  await run('docker', ['rmi', next]);
  assert.deepEqual(failures, [], 'no request has failed meanwhile');
}

/** The page and its files come out of the image; a session counts on every server. */
async function assertServesConsole(stack: Stack): Promise<void> {
  const printed = await stack.follow('The console in containers');
  const token = printed.trim().split('\n').at(-1);
  const page = await stack.browse('GET', '/console');
  assert.equal(page.status, 200);
  const [, script = ''] = /src="([^"]+\.js)"/.exec(page.text) ?? [];
  assert.equal((await stack.browse('GET', script)).status, 200, script);
  const begun = await stack.browse('POST', '/console/session', undefined, { token });
  assert.equal(begun.status, 201, begun.text);
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!;
  // each request has a connection of its own, which the load balancer gives to any server
  for (let i = 0; i < 6; i++) {
    const { text } = await stack.browse('GET', '/console/session', cookie);
    assert.match(text, /"name":"system:serviceaccount:default:console-admin"/);
  }
}

describe('docker compose', function () {
  this.timeout(900_000);

  it('brings up one server on etcd with TLS, watched by Prometheus', async () => {
    const stack = await Stack.of(COMPOSE_FILES[0]);
    try {
      assert.match(await stack.follow('In containers'), /cluster-system +Active/);
      const healthy = async (): Promise<boolean> => (await stack.health('plinth')) === 'healthy';
      assert.ok(await healthy(), 'it is ready when it is said to be up');
      const id = await stack.container('plinth');
      const user = await run('docker', ['exec', id, 'id', '-u']);
      assert.notEqual(user.trim(), '0', 'the server is not root');
      const held = async (service: string): Promise<string[]> =>
        (await stack.compose('exec', '-T', service, 'ls', '/pki')).trim().split(/\s+/).sort();
      assert.deepEqual(await held('prometheus'), ['ca.crt', 'metrics.crt', 'metrics.key']);
      for (const file of await held('plinth')) assert.doesNotMatch(file, /ca\.key|admin/);
      await assertServesConsole(stack);
      await stack.kubectl('create', 'namespace', 'kept');
      const wanted = ['etcd etcd:2381 up', 'plinth plinth:6443 up'];
      const scraped = async (): Promise<boolean> =>
        (await stack.targets().catch(() => [])).join() === wanted.join();
      await eventually(scraped, 'Prometheus scrapes both');
      await stack.follow('A snapshot of etcd in its container');
      assert.ok(statSync(stack.file('backup.db')).size > 20_000, 'a snapshot');
      // What is written outlives every process.
      await stack.compose('kill', '-s', 'KILL', 'etcd', 'plinth');
      await stack.up();
      await eventually(healthy, 'a healthy server again');
      assert.match(await stack.kubectl('get', 'namespace', 'kept'), /Active/);
      await stack.compose('stop', 'plinth');
      const code = await run('docker', ['inspect', '-f', '{{.State.ExitCode}}', id]);
      assert.equal(code.trim(), '0', 'a stop is graceful');
    } finally {
      await stack.down();
    }
  });

  it('brings up three members and two servers, of which any one may go', async () => {
    const stack = await Stack.of(COMPOSE_FILES[1]);
    try {
      assert.match(await stack.follow('In containers, highly available'), /cluster-system +Active/);
      const healthy = async (): Promise<boolean> =>
        (await Promise.all(['plinth-1', 'plinth-2'].map((name) => stack.health(name)))).every(
          (health) => health === 'healthy',
        );
      await eventually(healthy, 'two healthy servers');
      const works = async (name: string): Promise<void> => {
        const tried = (): Promise<boolean> =>
          stack.kubectl('create', 'namespace', name).then(
            () => true,
            (error: unknown) => String(error).includes('AlreadyExists'),
          );
        await eventually(tried, name);
      };
      await works('with-all');
      await assertServesConsole(stack);
      const wanted = [
        ...['etcd etcd-1:2381 up', 'etcd etcd-2:2381 up', 'etcd etcd-3:2381 up'],
        ...['plinth plinth-1:6443 up', 'plinth plinth-2:6443 up'],
      ];
      const scraped = async (): Promise<boolean> =>
        (await stack.targets().catch(() => [])).join() === wanted.join();
      await eventually(scraped, 'Prometheus scrapes all');
      // Until everything was up there was reason for alarm.
      const calm = async (): Promise<boolean> => (await stack.alarming()).length === 0;
      await eventually(calm, 'no alarm');
      assert.equal(await stack.series('plinth_replica_revision'), 2);
      assert.equal(await stack.series('etcd_server_has_leader == 1'), 3);
      await stack.compose('kill', '-s', 'KILL', 'plinth-1');
      await works('without-a-server');
      await stack.compose('kill', '-s', 'KILL', 'etcd-2');
      await works('without-a-member');
      const gone = 'up == 0';
      await eventually(async () => (await stack.series(gone)) === 2, 'Prometheus notices');
      await stack.compose('start', 'plinth-1', 'etcd-2');
      await eventually(healthy, 'all back');
      await works('with-all-again');
      await assertRolls(stack);
    } finally {
      await stack.down();
    }
  });
});
