import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './support/plinth.ts';

const MOCHA = [join('node_modules', 'mocha', 'bin', 'mocha.js')];
/** As `npm test` runs them: a process that starts mocha. */
const ALL = ['--import=tsx', join('test', 'main.ts')];
/** Leaves a process, a folder, and a handle that keeps its own process alive. */
const LEAVING = `
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
it('leaves what it has begun', async () => {
  const child = spawn('sleep', ['1000']);
  const folder = mkdtempSync(join(tmpdir(), 'left-'));
  setInterval(() => undefined, 1000);
  writeFileSync(process.env.TOLD, JSON.stringify({ sleep: child.pid, folder, mocha: process.pid }));
  if (process.env.WAITS) await new Promise(() => undefined);
  throw new Error('it fails');
});
`;

interface Told {
  readonly sleep: number;
  readonly folder: string;
  readonly mocha: number;
}

describe('a run of the tests', function () {
  let scratch: string;
  let run: ChildProcess;
  let output: string;

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'plinth-run-test-'));
    writeFileSync(join(scratch, 'leaving.test.mjs'), LEAVING);
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  async function begin(
    environment: Record<string, string>,
    program: readonly string[] = MOCHA,
    files: readonly string[] = [],
  ): Promise<Told> {
    const told = join(scratch, 'told');
    const args = ['--timeout=0', join(scratch, 'leaving.test.mjs'), ...files];
    run = spawn(process.execPath, [...program, ...args], {
      env: { ...process.env, ...environment, TOLD: told },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    output = '';
    for (const stream of [run.stdout, run.stderr]) {
      stream!.on('data', (text: Buffer) => (output += text.toString()));
    }
    const read = (): string => (existsSync(told) ? readFileSync(told, 'utf8') : '');
    await eventually(() => read().endsWith('}'), 'that the test begins');
    return JSON.parse(read());
  }

  async function assertNothingIsLeft({ sleep, folder, mocha }: Told): Promise<void> {
    await eventually(() => !isAlive(mocha), 'the end of the run');
    await eventually(() => !isAlive(sleep), 'the end of its processes');
    await eventually(() => !existsSync(join(folder, '..')), 'that its folder goes');
  }

  it('ends with its failures, whatever a failed test has left', async () => {
    const told = await begin({});
    await assertNothingIsLeft(told);
    await eventually(() => run.exitCode !== null, 'its exit code');
    assert.equal(run.exitCode, 1);
    assert.match(output, /1 failing[^]*it fails/);
    assert.match(output, new RegExp(`the run has left process ${told.sleep}: sleep 1000`));
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
    it(`leaves nothing behind when it is interrupted by ${signal}`, async () => {
      const told = await begin({ WAITS: 'yes' });
      run.kill(signal);
      await assertNothingIsLeft(told);
    });
  }

  it('of several processes sums up their tests and says what has failed', async () => {
    const passing = join(scratch, 'passing.test.mjs');
    writeFileSync(passing, `it('passes', () => undefined);`);
    const other = 'test/support/batches.test.ts';
    const count = 1 + readFileSync(other, 'utf8').match(/^ +it\(/gm)!.length;
    const told = await begin({}, ALL, [passing, other]);
    await assertNothingIsLeft(told);
    await eventually(() => run.exitCode !== null, 'its exit code');
    assert.equal(run.exitCode, 1);
    assert.match(
      output,
      new RegExp(
        `^ {2}${count} passing \\(.+\\)\\n {2}1 failing\\n[^]+leaving\\.test\\.mjs[^]+it fails`,
        'm',
      ),
    );
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
    it(`of several processes leaves nothing behind when it is interrupted by ${signal}`, async () => {
      const told = await begin({ WAITS: 'yes' }, ALL);
      run.kill(signal);
      await assertNothingIsLeft(told);
    });
  }
});

/** What has ended and was not waited for by its parent is a zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
