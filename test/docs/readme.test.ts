import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestEtcd } from '../support/etcd.ts';
import { assertNpmCommand, blockOf, blocksOf, ROOT, type } from './blocks.ts';

const PAGE = 'README.md';
const README = readFileSync(join(ROOT, PAGE), 'utf8');

/** The commands of a block, one by one, without what is said about them. */
function linesOf(heading: string): string[] {
  return blockOf(PAGE, heading)
    .commands.split('\n')
    .map((line) => line.replace(/ +#.*$/, ''));
}

/** The commands that a reader would type, as they are printed. */
/** A reader sees the first lines of a watch before the next command. */
const UNTIL_SEEN = 'until grep --quiet desk watched; do sleep 0.1; done';

describe('README.md', function () {
  let scratch: string;
  before(() => {
    assert.equal(spawnSync('kubectl', ['version', '--client']).status, 0, 'kubectl is needed');
  });
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  /**
   * Starts a server by a line of the page. All has been installed and built
   * before a test runs, and the port and `./data` may be in use.
   */
  async function assertStarts(line: string): Promise<void> {
    const prelude = `npm() {
      if [ "$1" = start ]; then
        shift
        if [ "$#" -gt 0 ]; then shift; fi
        command npm --ignore-scripts start -- "$@" --secure-port 0 --data-dir ${scratch}/data
      else test "$*" = ci; fi
    }`;
    const shell = spawn('bash', ['-euc', `${prelude}\n${line}`], {
      ...{ cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] as const },
    });
    // The server finishes what is under way: it has ended when none holds its output any more.
    const ended = once(shell, 'close');
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on('data', (text: Buffer) => (output += text.toString()));
    }
    try {
      const serves = (): boolean => /serves https:\/\/\S+/.test(output) || shell.exitCode !== null;
      await eventually(serves, 'that it serves');
      assert.match(output, /serves https/);
      const kubeconfig = join(scratch, 'data/admin.kubeconfig');
      assert.ok(existsSync(kubeconfig), output);
      const told = spawnSync('kubectl', ['--kubeconfig', kubeconfig, 'get', '--raw', '/readyz']);
      assert.equal(String(told.stdout), 'ok', String(told.stderr));
    } finally {
      process.kill(-shell.pid!, 'SIGTERM');
      await ended;
    }
  }

  it('a test executes every block of commands, and says so', () => {
    const blocks = blocksOf(PAGE).map(({ heading, executedBy }) => [heading, executedBy !== '']);
    assert.deepEqual(blocks, [
      ['Two commands', true],
      ['A session', true],
      ['On etcd', true],
    ]);
  });

  it('the first of its two commands starts a server, the second is what a change has to pass', async () => {
    const [start = '', test = ''] = linesOf('Two commands');
    assert.equal(test, 'npm ci && npm test');
    await assertStarts(start);
    const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
    for (const command of test.split(' && ')) {
      assert.ok(
        ci.includes(`step '${command}' ${command};`) ||
          ci.includes(`step '${command}' env PLINTH_TEST_LOOKS=2 ${command};`),
        command,
      );
    }
  });

  it('its session with kubectl works and prints what the page shows', async () => {
    const plinth = await Plinth.start();
    try {
      // The commands are typed in the directory where the server was started.
      symlinkSync(plinth.dataDir, join(scratch, 'data'));
      const { commands } = blockOf(PAGE, 'A session');
      const typed = commands.replace(/^(.* --watch) &$/m, `$1 > >(tee watched) &\n${UNTIL_SEEN}`);
      assert.notEqual(typed, commands);
      const printed = await type(typed, { cwd: scratch, env: { HOME: scratch } });
      const shown = /```text\n([^`]+)\n```/.exec(README)?.[1]?.split('\n') ?? [];
      assert.equal(shown.length, 5);
      for (const line of shown) assert.ok(printed.includes(line), `${line} in ${printed}`);
    } finally {
      await plinth.dispose();
    }
  });

  it('it is started on etcd as it says, and the stacks by commands that are executed', async () => {
    const [start = '', ...stacks] = linesOf('On etcd');
    const etcd = await TestEtcd.start();
    try {
      await assertStarts(start.replace('http://127.0.0.1:2379', etcd.url));
    } finally {
      await etcd.dispose();
    }
    const executed = blocksOf('docs/operations.md')
      .filter(({ executedBy }) => executedBy === 'test/chaos/stack.test.ts')
      .flatMap(({ commands }) => commands.split('\n'));
    assert.equal(stacks.length, 2);
    for (const line of stacks) assert.ok(executed.includes(line), line);
  });

  it('names commands of npm that exist', () => {
    for (const [, script = ''] of README.matchAll(/npm (?:run )?([a-z:]+)/g)) {
      assertNpmCommand(script);
    }
  });
});
