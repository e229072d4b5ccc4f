import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestEtcd } from '../support/etcd.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const EXECUTED = /<!-- executed by test\/docs\/readme\.test\.ts -->\n```sh\n([^]*?)```/g;

/** The commands that a reader would type, as they are printed. */
describe('README.md', function () {
  this.timeout(120_000);
  const scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  let plinth: Plinth;
  before(async () => {
    assert.equal(spawnSync('kubectl', ['version', '--client']).status, 0, 'kubectl is needed');
    plinth = await Plinth.start();
    // The commands are typed in the directory where the server was started.
    symlinkSync(plinth.dataDir, join(scratch, 'data'));
  });
  after(async () => {
    await plinth.dispose();
    rmSync(scratch, { recursive: true });
  });

  it('its session with kubectl works as printed', () => {
    const blocks = [...README.matchAll(EXECUTED)].map(([, block]) => block!);
    assert.ok(blocks.length >= 1, 'there is a session');
    for (const block of blocks) {
      const options = { cwd: scratch, encoding: 'utf8', input: `set -ex\n${block}` } as const;
      const { status, stdout, stderr } = spawnSync('bash', [], {
        ...options,
        env: { ...process.env, HOME: scratch },
      });
      assert.equal(status, 0, `${stdout}\n${stderr}`);
    }
  });

  it('its commands of npm exist, and its flags start the server', async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const [, script] of README.matchAll(/npm (?:run )?([a-z:]+)/g)) {
      assert.ok(script === 'ci' || script! in scripts, `npm ${script}`);
    }
    const line = /npm start -- (--etcd-servers) http:\/\/127\.0\.0\.1:2379/.exec(README);
    assert.ok(line !== null, 'how to start on etcd');
    const etcd = await TestEtcd.start();
    const server = await Plinth.start({ args: [line[1]!, etcd.url] });
    try {
      await eventually(async () => (await server.get('/readyz')).status === 200, 'a ready server');
    } finally {
      await server.dispose();
      await etcd.dispose();
    }
  });
});
