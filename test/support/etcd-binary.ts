import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keepProgram, PROGRAMS, programFromDebian } from './programs.ts';

const run = promisify(execFile);

interface EtcdBinary {
  readonly path: string;
  readonly version: string;
}

const KEPT = join(PROGRAMS, 'etcd');
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
    if (version === undefined) throw new Error(`PLINTH_TEST_ETCD=${chosen} is not an etcd`);
    return { path: chosen, version };
  }
  for (const source of ['etcd', KEPT, fromDebian, fromDocker]) {
    const path = typeof source === 'string' ? source : await source().catch(() => undefined);
    const version = path === undefined ? undefined : await versionOf(path);
    if (path !== undefined && version !== undefined) return { path, version };
  }
  throw new Error(
    'no etcd for the tests: install it (apt-get install etcd-server, or brew install etcd), or set PLINTH_TEST_ETCD to one',
  );
}

/** All versions that are at hand, for tests that compare what versions allow. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version']);
    return /etcd Version: (\S+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

function fromDebian(): Promise<string> {
  return programFromDebian('etcd-server', 'usr/bin/etcd');
}

async function fromDocker(): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'plinth-etcd-'));
  const { stdout } = await run('docker', ['create', IMAGE]);
  const container = stdout.trim();
  try {
    await run('docker', ['cp', `${container}:/usr/local/bin/etcd`, join(scratch, 'etcd')]);
    return await keepProgram(join(scratch, 'etcd'));
  } finally {
    await run('docker', ['rm', container]);
    await rm(scratch, { recursive: true });
  }
}
