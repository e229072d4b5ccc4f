/**
 * One run of the tests: it has a folder in which all others are made, and
 * leaves no process, container or folder behind, however it ends. `.mocharc.json`
 * has mocha read this file before any test.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import fc from 'fast-check';
import { PROGRAMS } from './programs.ts';
import { SEED } from './seeded.ts';

/** Every process that a test starts has this in its environment. */
const MARK = 'PLINTH_TEST_RUN';
const PARENT_PERIOD_MS = 1_000;
/** After the last test, sockets that are being closed get so long. */
const LAST_HANDLES_MS = 20_000;
/**
 * Reads what else is to be done until this process has gone, by itself or by
 * SIGKILL; then ends what bears the mark. Twice: what is killed may be starting another.
 */
const REAPER = `
todo=$(cat)
for time in 1 2; do
  grep -lszFx "$1" /proc/[0-9]*/environ | cut -d / -f 3 | xargs -r kill -9
done 2>/dev/null
eval "$todo" >/dev/null 2>&1
rm -rf "$2"
`;

// When this file is read, so that constants of tests lie in the folder, too.
const folder = mkdtempSync(join(tmpdir(), 'plinth-run-'));
// Containers read below it as other users.
chmodSync(folder, 0o755);
/** Names the run, for example in labels of containers. */
export const RUN = basename(folder);
const mark = `${MARK}=${RUN}`;
const reaper = spawn('sh', ['-c', REAPER, 'reaper', mark, folder], {
  detached: true,
  stdio: ['pipe', 'ignore', 'ignore'],
});
// A handle that keeps this process alive would be one that every run leaves.
reaper.unref();
(reaper.stdin as unknown as { unref(): void }).unref();
process.env[MARK] = RUN;
process.env['TMPDIR'] = folder;
process.env['PATH'] = [process.env['PATH'], PROGRAMS].join(delimiter);

fc.configureGlobal({ seed: SEED });

/** A shell command for the time after the run, whatever ends it: it finds nothing to do when all went well. */
export function afterRun(command: string): void {
  reaper.stdin.write(`${command}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}
// npm and mocha itself go without a word to this process when they are terminated.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(128 + constants.signals.SIGTERM);
}, PARENT_PERIOD_MS).unref();

/** What a test that failed has left must not keep the run from ending; of one that passed it is a failure. */
export function mochaGlobalTeardown(): void {
  const left = marked();
  for (const { pid, command } of left) {
    console.error(`the run has left process ${pid}: ${command}`);
    process.kill(pid, 'SIGKILL');
  }
  if (left.length > 0) process.exit(1);
  setTimeout(() => {
    console.error(`the run has left handles: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, LAST_HANDLES_MS).unref();
}

function marked(): { pid: number; command: string }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const read = (file: string): string[] => readProc(name, file).split('\0');
      const command = read('cmdline').join(' ');
      // the compiler of this process lives as long as it
      if (!read('environ').includes(mark) || /\besbuild --service/.test(command)) return [];
      return [{ pid: Number(name), command }];
    });
}

/** Empty for what has gone meanwhile, or belongs to another user. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(join('/proc', pid, file), 'utf8');
  } catch {
    return '';
  }
}
