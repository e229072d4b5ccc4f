import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
/** So many objects that the background work of a start is still writing when the start fails. */
const OBJECTS = 80;
/** A process that hangs never ends; one that ends needs a fraction of this. */
const HANGS_MS = 60_000;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly err: string;
}

/** Runs the program with these arguments; `during` is called as soon as it runs. */
async function run(
  args: readonly string[],
  during: (child: ChildProcess) => unknown = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, ['dist/server/main.js', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), HANGS_MS);
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, err })),
  );
  await during(child);
  const result = await ended;
  clearTimeout(timer);
  return result;
}

describe('a process on the embedded store', function () {
  let plinth: Plinth;
  let blocker: Server;
  let takenPort: string;
  before(async () => {
    plinth = await Plinth.start();
    for (let i = 0; i < OBJECTS; i++) {
      const { status } = await plinth.send('POST', LEASES, { metadata: { name: `lease-${i}` } });
      assert.equal(status, 201);
    }
    assert.equal(await plinth.stop(), 0);
    blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    takenPort = String((blocker.address() as AddressInfo).port);
  });
  after(async () => {
    blocker.close();
    await plinth.dispose();
  });

  const start = (args: readonly string[], during?: (child: ChildProcess) => unknown) =>
    run(['--data-dir', plinth.dataDir, '--log-level', 'warn', ...args], during);

  it('ends with 1 when its port is taken', async () => {
    for (let i = 0; i < 3; i++) {
      const { code, err } = await start(['--secure-port', takenPort]);
      assert.equal(code, 1);
      assert.match(err, /^plinth: .*EADDRINUSE.*\n$/);
    }
  });

  it('ends with 1 when a file is missing', async () => {
    const { code, err } = await start([
      '--secure-port',
      '0',
      '--tls-cert-file',
      '/none.pem',
      '--tls-private-key-file',
      '/none.pem',
    ]);
    assert.equal(code, 1);
    assert.match(err, /^plinth: .*\/none\.pem.*\n$/);
  });

  it('ends with 1 when another process has the data directory, and leaves that one alone', async () => {
    await plinth.start();
    const { code, err } = await start(['--secure-port', '0']);
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^plinth: .*in use by process ${plinth.pid}\n$`));
    assert.equal((await plinth.get(`${LEASES}/lease-0`)).status, 200);
    assert.equal(await plinth.stop(), 0);
  });

  it('ends with 0 when it is told to stop while it starts', async () => {
    const { code, err } = await start(['--secure-port', '0'], async (child) => {
      const store = join(plinth.dataDir, 'store');
      const opens = () => readdirSync(store).some((name) => name.startsWith('owner.'));
      await eventually(opens, 'the store opens');
      child.kill('SIGTERM');
    });
    assert.deepEqual([code, err], [0, '']);
  });

  it('ends with 1 when an invariant breaks while it writes', async () => {
    const breaks = `data:text/javascript,process.on('SIGUSR2',()=>{throw new Error('broken')})`;
    const broken = await Plinth.start({ nodeArgs: ['--import', breaks] });
    try {
      const writes = Array.from({ length: 200 }, (_, i) =>
        broken.send('POST', LEASES, { metadata: { name: `w${i}` } }).catch(() => undefined),
      );
      await writes[0];
      process.kill(broken.pid, 'SIGUSR2');
      await eventually(() => broken.exitCode !== null, 'the process ends', HANGS_MS);
      await Promise.all(writes);
      assert.equal(broken.exitCode, 1);
      assert.match(broken.output, /plinth: internal error: Error: broken\n +at /);
    } finally {
      await broken.dispose();
    }
  });
});
