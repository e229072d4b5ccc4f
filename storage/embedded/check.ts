import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StoreError } from '../errors.ts';
import type { CheckAnswer, CheckJob, CheckReport } from './check-messages.ts';
import { DATA_FILE } from './data-file.ts';

/** How a process ends that has read a damaged page: LMDB aborts, or reads where there is nothing. */
const CRASHES: ReadonlySet<string> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE']);
/** Of what the process has written on standard error the last words are kept. */
const MAX_WORDS = 4_096;

/**
 * Reads every object of the store in a directory, which no server may use, and
 * removes those that cannot be read when that is asked for. A process of its own
 * does it: damaged pages can end the process that reads them.
 *
 * @throws StoreError whose message is one line for the operator
 */
export async function checkEmbeddedStore(
  directory: string,
  { remove }: { remove: boolean },
): Promise<CheckReport> {
  const file = join(directory, DATA_FILE);
  if (!existsSync(file)) {
    throw new StoreError('unavailable', `${directory} contains no store`);
  }
  const end = await ask({ directory, file, remove });
  if (end.answer !== undefined) return end.answer;
  throw end.crash ?? new StoreError('unavailable', `the check failed: ${end.how}`);
}

/**
 * Has another process read the whole data file. Resolves when it has found
 * nothing, and when it could not look.
 *
 * @throws StoreError `corrupt`
 */
export async function checkPages(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const { crash } = await ask({ file });
  if (crash !== undefined) throw crash;
}

interface End {
  readonly answer?: CheckReport;
  /** The process has crashed: what it has read is damaged. */
  readonly crash?: StoreError;
  readonly how: string;
}

/** @throws StoreError that the process has met */
function ask(job: CheckJob): Promise<End> {
  const program = fileURLToPath(new URL('./check-process.js', import.meta.url));
  const isBuilt = import.meta.url.endsWith('.js');
  const child = fork(program.replace(/\.js$/, extname(import.meta.url)), {
    execArgv: isBuilt ? [] : process.execArgv,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-MAX_WORDS);
  });
  return new Promise((resolve, reject) => {
    let answer: CheckAnswer | undefined;
    child.on('message', (message) => (answer = message as CheckAnswer));
    child.on('error', (error) => resolve({ how: error.message }));
    child.on('close', (code, signal) => {
      if (answer === undefined) {
        const how = signal ?? `exit code ${code}`;
        resolve(CRASHES.has(how) ? { how, crash: crashOf(job.file, how, words) } : { how });
      } else if ('failed' in answer) {
        reject(new StoreError(answer.failed.code, answer.failed.message));
      } else resolve({ answer: answer.report, how: '' });
    });
    child.send(job, (error) => {
      // Without the job it would wait for it.
      if (error !== null) child.kill('SIGKILL');
    });
  });
}

/** The assertion that did not hold, where there was one, says most. */
function crashOf(file: string, signal: string, words: string): StoreError {
  const assertion = /Assertion '[^']*' failed in \w+/.exec(words)?.[0];
  const how = assertion === undefined ? signal : `${signal}: ${assertion}`;
  const message = `the data file ${file} is corrupted (a process that read it ended with ${how}): restore a backup`;
  return new StoreError('corrupt', message);
}
