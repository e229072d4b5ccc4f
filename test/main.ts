/**
 * Runs the tests in two processes of mocha for each core, because test files wait half of the time.
 * Arguments are those of mocha, and files (`npm test -- --grep watch`); `PLINTH_TEST_JOBS` is the
 * number of processes.
 *
 * With `PLINTH_TEST_LOOKS=2` the files of a process that failed run a second time, alone. Those
 * that pass then do not fail the run, but they are a defect, and named at the end.
 */
import { spawn } from 'node:child_process';
import { readdirSync, realpathSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join, resolve } from 'node:path';
import { batchesOf, type Batch } from './support/batches.ts';
import { fileTimesIn, withoutFileTimes } from './support/file-times.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** What mocha's program in bin/ starts: a process of tests ends when its parent has gone. */
const MOCHA = ['--import=tsx', realpathSync(join(ROOT, 'node_modules/mocha/lib/cli/cli.js'))];
const JOBS = Number(process.env['PLINTH_TEST_JOBS'] ?? 2 * availableParallelism());
const REPORTER = ['--reporter', join(ROOT, 'test/support/file-times.ts')];
/** So many files are named at the end with what they took. */
const NAMED_FILES = 20;
const LOOKS = Number(process.env['PLINTH_TEST_LOOKS'] ?? 1);
/** Folders that hold no tests, and tests with a command of their own. */
const OTHERS =
  /^(?:node_modules|dist|data|coverage|\.\w+|test\/(?:browser|chaos|ecosystem)\/[\w-]+\.test\.ts)(?:\/|$)/;

const PARENT_PERIOD_MS = 1_000;

interface Result {
  readonly batch: Batch;
  readonly code: number;
  readonly output: string;
}

// npm goes without a word to this process when it is terminated.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(128 + constants.signals.SIGTERM);
}, PARENT_PERIOD_MS).unref();

const given = process.argv.slice(2);
const files = given.filter((argument) => /\.test\.\w+$/.test(argument));
const options = given.filter((argument) => !files.includes(argument));
const batches = batchesOf(files.length > 0 ? files : testFiles());
const results: Result[] = [];
const unsteady: Result[] = [];
await runAll(
  batches.filter(({ alone }) => !alone),
  JOBS,
);
await runAll(
  batches.filter(({ alone }) => alone),
  1,
);
if (LOOKS > 1) await lookAgain();
process.exit(summarised());

function testFiles(): string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OTHERS.test(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(ROOT, name), { recursive: true }).map((file) => join(name, String(file))),
    )
    .filter((file) => file.endsWith('.test.ts') && !OTHERS.test(file))
    .sort();
}

async function runAll(waiting: readonly Batch[], jobs: number): Promise<void> {
  const queue = [...waiting];
  const work = async (): Promise<void> => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
      const begin = performance.now();
      const result = await mocha(batch);
      results.push(result);
      const seconds = Math.round((performance.now() - begin) / 1_000);
      const counts = `${countOf(result, 'passing')} passing, ${countOf(result, 'failing')} failing`;
      console.log(`  ${counts} in ${seconds} s: ${nameOf(batch)}`);
      if (result.code !== 0) console.log(failuresOf(result));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
}

/** Runs what failed once more; its second result takes the place of the first. */
async function lookAgain(): Promise<void> {
  const failed = results.filter(({ code }) => code !== 0);
  for (const first of failed) results.splice(results.indexOf(first), 1);
  if (failed.length > 0) console.log('\n  a second look at what failed:');
  await runAll(
    failed.map(({ batch }) => batch),
    1,
  );
  const passed = new Set(results.filter(({ code }) => code === 0).map(({ batch }) => batch));
  unsteady.push(...failed.filter(({ batch }) => passed.has(batch)));
}

function mocha(batch: Batch): Promise<Result> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...MOCHA, ...REPORTER, ...options, ...batch.files], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.once('error', fail);
    // A process that does not say what it has run has run nothing.
    const hasRun = (): boolean => /^ +\d+ passing/m.test(output);
    child.once('close', (code) => done({ batch, code: hasRun() ? (code ?? 1) : 1, output }));
  });
}

/** As mocha ends: the counts, then what failed. @returns the exit code */
function summarised(): number {
  const sum = (what: string): number =>
    results.reduce((total, result) => total + countOf(result, what), 0);
  const failed = results.filter(({ code }) => code !== 0);
  const seconds = Math.round(process.uptime());
  printSlowest();
  console.log(`\n  ${sum('passing')} passing (${Math.floor(seconds / 60)}m ${seconds % 60}s)`);
  if (failed.length > 0) console.log(`  ${Math.max(sum('failing'), failed.length)} failing`);
  for (const result of failed) {
    console.log(`\n  of ${result.batch.files.join(' ')}:\n${failuresOf(result)}`);
  }
  for (const result of unsteady) {
    const files = result.batch.files.join(' ');
    console.log(`\n  UNSTEADY, failed once and passed once, of ${files}:\n${failuresOf(result)}`);
  }
  return failed.length === 0 ? 0 : 1;
}

/** The files that took most CPU, with what all took. */
function printSlowest(): void {
  const times = results.flatMap(({ output }) => fileTimesIn(output));
  const sum = (of: 'elapsed' | 'cpu'): string =>
    times.reduce((total, time) => total + time[of], 0).toFixed(0);
  console.log(`\n  ${sum('elapsed')} s, ${sum('cpu')} s of CPU in ${times.length} files, most in`);
  const slowest = times.sort((a, b) => b.cpu - a.cpu).slice(0, NAMED_FILES);
  for (const { file, elapsed, cpu } of slowest) {
    const columns = [elapsed, cpu].map((value) => value.toFixed(1).padStart(7));
    console.log(`  ${columns.join(' s')} s of CPU: ${file}`);
  }
}

function nameOf({ files }: Batch): string {
  return files.length > 8 ? `${files.length} files from ${files[0]} on` : files.join(' ');
}

function countOf({ output }: Result, what: string): number {
  return Number(new RegExp(`^ +(\\d+) ${what}`, 'm').exec(output)?.[1] ?? 0);
}

/** From mocha's count of failures on; without one, what the process has said last. */
function failuresOf({ output }: Result): string {
  const at = output.search(/^ +\d+ failing$/m);
  return withoutFileTimes(at < 0 ? output.slice(-5_000) : output.slice(at));
}
