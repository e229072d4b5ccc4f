import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface EtcdBinary {
  readonly path: string;
  readonly version: string;
}

/** Outside of the repository, so that a checkout stays small. */
const CACHE = join(homedir(), '.cache', 'plinth-test');
const IMAGE = 'gcr.io/etcd-development/etcd:v3.5.21';

let found: Promise<EtcdBinary> | undefined;

/**
 * The etcd that tests run against: `PLINTH_TEST_ETCD`, else the one on PATH,
 * else Debian's package, else the one in the official image.
 */
export function findEtcd(): Promise<EtcdBinary> {
  found ??= search();
  return found;
}

async function search(): Promise<EtcdBinary> {
  const chosen = process.env['PLINTH_TEST_ETCD'];
  if (chosen !== undefined && chosen !== '') {
    const version = await versionOf(chosen);
    if (version === undefined) throw new Error(`PLINTH_TEST_ETCD=${chosen} is no etcd`);
    return { path: chosen, version };
  }
  for (const source of ['etcd', join(CACHE, 'etcd'), fromDebian, fromDocker]) {
    const path = typeof source === 'string' ? source : await source().catch(() => undefined);
    const version = path === undefined ? undefined : await versionOf(path);
    if (path !== undefined && version !== undefined) return { path, version };
  }
  throw new Error(
    'no etcd for the tests: install it (apt-get install etcd-server), or set PLINTH_TEST_ETCD',
  );
}

/** All versions that are at hand, for tests that compare what versions allow. */
export async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version']);
    return /etcd Version: (\S+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

async function fromDebian(): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error('only root installs packages');
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'etcd-server']);
  return 'etcd';
}

async function fromDocker(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'plinth-etcd-'));
  const { stdout } = await run('docker', ['create', IMAGE]);
  const container = stdout.trim();
  try {
    await run('docker', ['cp', `${container}:/usr/local/bin/etcd`, join(scratch, 'etcd')]);
    await rename(join(scratch, 'etcd'), join(CACHE, 'etcd'));
  } finally {
    await run('docker', ['rm', container]);
    await rm(scratch, { recursive: true });
  }
  return join(CACHE, 'etcd');
}
