/**
 * Sees to it, before `npm test` begins, that the programs are there which the
 * tests run: gets them from Debian's packages, or says which packages are missing.
 */
import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { findEtcd } from './etcd-binary.ts';
import { PROGRAMS, programFromDebian } from './programs.ts';

interface Need {
  readonly name: string;
  /** That it answers when it works. */
  readonly asked: readonly string[];
  /** Packages of Debian and of Homebrew. */
  readonly debian: string;
  readonly brew: string;
}

const NEEDS: readonly Need[] = [
  {
    name: 'kubectl',
    asked: ['version', '--client'],
    debian: 'kubernetes-client',
    brew: 'kubernetes-cli',
  },
  // What a process asks of its disk is tested on Linux alone.
  ...(process.platform === 'linux'
    ? [{ name: 'strace', asked: ['--version'], debian: 'strace', brew: '' }]
    : []),
];

process.env['PATH'] = [process.env['PATH'], PROGRAMS].join(delimiter);
const missing: string[] = [];
for (const need of NEEDS) {
  if (works(need)) continue;
  await programFromDebian(need.debian, `usr/bin/${need.name}`).catch(() => undefined);
  if (works(need)) continue;
  const brew = need.brew === '' ? '' : `, or brew install ${need.brew}`;
  missing.push(`no ${need.name} for the tests: apt-get install ${need.debian}${brew}`);
}
await findEtcd().catch((error: unknown) => missing.push((error as Error).message));
for (const line of missing) console.error(line);
if (missing.length > 0) process.exit(1);

function works({ name, asked }: Need): boolean {
  return spawnSync(name, asked).status === 0;
}
