import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * What a command prints.
 *
 * @throws Error with the end of what it said, when it fails
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: RunOptions = {},
): Promise<string> {
  try {
    const { stdout } = await execute(command, [...args], {
      maxBuffer: MAX_OUTPUT,
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = `${stdout}${stderr}`.slice(-3_000);
    throw new Error(`${command} ${args.join(' ')}: ${said}`, { cause: error });
  }
}

/** `producer | consumer`; resolves when both have ended well. */
export async function pipe(
  [producer = '', ...from]: readonly string[],
  [consumer = '', ...to]: readonly string[],
): Promise<void> {
  const left = spawn(producer, from, { stdio: ['ignore', 'pipe', 'inherit'] });
  const right = spawn(consumer, to, { stdio: ['pipe', 'ignore', 'inherit'] });
  left.stdout.pipe(right.stdin);
  const ended = [left, right].map(
    (child) =>
      new Promise<void>((resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (code) =>
          code === 0 ? resolve() : reject(new Error(`${child.spawnfile} ended with ${code}`)),
        );
      }),
  );
  await Promise.all(ended);
}
