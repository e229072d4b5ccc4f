import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Programs that were got for tests; outside of the repository, so that a checkout stays small. */
export const PROGRAMS = join(homedir(), '.cache', 'plinth-test', 'bin');

/**
 * Takes a program out of a package of Debian, so that no service is installed
 * and root is not needed.
 *
 * @param path of the program within the package
 * @returns where it is kept
 * @throws when apt is missing or does not reach its mirror
 */
export async function programFromDebian(name: string, path: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'plinth-package-'));
  const download = (): Promise<unknown> => run('apt-get', ['download', name], { cwd: scratch });
  try {
    await download().catch(async () => {
      await run('apt-get', ['update']);
      await download();
    });
    const [file = ''] = await readdir(scratch);
    await run('dpkg-deb', ['-x', file, 'files'], { cwd: scratch });
    return await keepProgram(join(scratch, 'files', path));
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** Copies a program to the others, through another name, so that another run never sees half of it. */
export async function keepProgram(binary: string): Promise<string> {
  await mkdir(PROGRAMS, { recursive: true });
  const kept = join(PROGRAMS, basename(binary));
  const partial = `${kept}.${process.pid}`;
  await copyFile(binary, partial);
  await chmod(partial, 0o755);
  await rename(partial, kept);
  return kept;
}
