import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import { zeroPages } from '../storage/embedded-pages.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const NAME = 'object-of-the-test';
/** A process that tries again never ends; one that ends needs a fraction of this. */
const RETRIES_MS = 60_000;
const MESSAGE =
  /^plinth: the data file \S+store\.mdb is corrupted \(MDB_[A-Z_]+: .+\): check it with "plinth check", and restore a backup if it cannot be read$/gm;
const CRASH_MESSAGE =
  /^plinth: the data file \S+store\.mdb is corrupted \(a process that read it ended with SIG[A-Z]+.*\): restore a backup$/m;

describe('a server on a corrupted data file', function () {
  let plinth: Plinth;
  let file: string;
  beforeEach(async () => {
    plinth = await Plinth.start();
    file = join(plinth.dataDir, 'store', 'store.mdb');
    const { status } = await plinth.send('POST', LEASES, { metadata: { name: NAME } });
    assert.equal(status, 201);
  });
  afterEach(() => plinth.dispose());

  it('exits with code 1 and one clear message while it serves', async () => {
    assert.ok(zeroPages(file, NAME) > 0);
    await eventually(
      async () => {
        // A write of the server's own may just have put the object on another page.
        zeroPages(file, NAME);
        await plinth.send('DELETE', `${LEASES}/${NAME}`).catch(() => undefined);
        await plinth.send('POST', LEASES, { metadata: { name: NAME } }).catch(() => undefined);
        return plinth.exitCode !== null;
      },
      'the end of the process',
      RETRIES_MS,
    );
    assert.equal(plinth.exitCode, 1);
    assert.equal(plinth.output.match(MESSAGE)?.length, 1, plinth.output);
  });

  it('ends with 1 and one clear message at its start, and so does a check', async () => {
    assert.equal(await plinth.stop(), 0);
    // Opening reads other pages than those that hold objects.
    assert.ok(zeroPages(file, `"name":"${NAME}"`) > 0);
    const { status, stderr } = serve();
    assert.equal(status, 1, stderr);
    assert.equal(stderr.match(MESSAGE)?.length, 1, stderr);
    assertChecked();
  });

  it('that ends processes by a signal: a check is not ended by it, nor a start after two such ends', async () => {
    for (const signal of ['SIGKILL', 'SIGKILL'] as const) {
      await plinth.stop(signal);
      await plinth.start();
    }
    await plinth.stop('SIGKILL');
    assert.ok(zeroPages(file, `"name":"${NAME}"`) > 0);
    assertChecked();
    for (const { status, stderr } of [serve(), serve()]) {
      assert.equal(status, 1, stderr);
      assert.match(stderr, CRASH_MESSAGE);
    }
  });

  const run = (...args: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, ['dist/server/main.js', ...args, '--data-dir', plinth.dataDir], {
      encoding: 'utf8',
      timeout: RETRIES_MS,
    });
  const serve = (): SpawnSyncReturns<string> => run('--secure-port', '0', '--log-level', 'warn');
  /** The process that reads for the check is ended by what it reads. */
  const assertChecked = (): void => {
    const { status, stderr } = run('check');
    assert.equal(status, 1, stderr);
    assert.match(stderr, CRASH_MESSAGE);
  };
});
