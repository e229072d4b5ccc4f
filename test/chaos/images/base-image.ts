import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipe, run } from './shell.ts';

/** Taken from this machine, with the libraries that they need. */
const PROGRAMS = [
  ...['node', 'etcd', 'etcdctl', 'prometheus', 'haproxy', 'busybox'],
  /** Slows the disk of a member; see the fault. */
  'strace',
] as const;
/** Gives a process another time of day; see the clock fault. */
export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * An image that stands in for those of registries: Node with npm, etcd,
 * Prometheus, HAProxy and a shell, put together from the programs of this
 * machine, so that nothing has to be pulled. Made once for the same programs.
 *
 * @returns its name
 * @throws Error that names the program that is missing
 */
export async function baseImage(): Promise<string> {
  const programs = await Promise.all(PROGRAMS.map(locate));
  if (!existsSync(FAKETIME)) throw new Error(`the package faketime is missing: ${FAKETIME}`);
  const name = `plinth-test/base:${fingerprint([...programs, FAKETIME])}`;
  if (await exists(name)) return name;
  const root = await mkdtemp(join(tmpdir(), 'plinth-image-'));
  try {
    await fill(root, programs);
    const changes = [`ENV PATH=${PATH}`, `ENV NODE_EXTRA_CA_CERTS=${AUTHORITIES}`];
    await pipe(
      ['tar', '-C', root, '-c', '.'],
      ['docker', 'import', ...changes.flatMap((change) => ['--change', change]), '-', name],
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  return name;
}

async function exists(image: string): Promise<boolean> {
  return (await run('docker', ['images', '-q', image])).trim() !== '';
}

async function locate(program: string): Promise<string> {
  const found = await run('sh', ['-c', `command -v ${program}`]).catch(() => '');
  if (found === '') {
    throw new Error(`the images are made from this machine's programs, and ${program} is missing`);
  }
  return realpathSync(found.trim());
}

function fingerprint(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = existsSync(file) ? statSync(file) : { size: 0, mtimeMs: 0 };
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}

async function fill(root: string, programs: readonly string[]): Promise<void> {
  for (const dir of ['etc', 'proc', 'sys', 'dev', 'bin', 'root']) {
    await mkdir(join(root, dir), { recursive: true });
  }
  await mkdir(join(root, 'tmp'), { mode: 0o1777 });
  await run('chmod', ['1777', join(root, 'tmp')]);
  const copied = new Set<string>();
  const put = async (file: string): Promise<void> => {
    if (copied.has(file)) return;
    copied.add(file);
    await mkdir(join(root, dirname(file)), { recursive: true });
    await copyFile(file, join(root, file));
  };
  for (const program of programs) {
    await put(program);
    for (const library of await librariesOf(program)) await put(library);
    const alias = join(root, 'bin', program.split('/').at(-1)!);
    if (!existsSync(alias)) await symlink(program, alias);
  }
  await put(FAKETIME);
  if (existsSync(AUTHORITIES)) await put(AUTHORITIES);
  await addNpm(root);
  for (const applet of (await run('busybox', ['--list'])).trim().split('\n')) {
    const link = join(root, 'bin', applet);
    if (!existsSync(link)) await symlink('busybox', link);
  }
}

/** None for a static program, of which ldd says so by failing. */
async function librariesOf(program: string): Promise<string[]> {
  const listed = await run('ldd', [program]).catch(() => '');
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, library]) => library!);
}

async function addNpm(root: string): Promise<void> {
  const home = realpathSync((await run('sh', ['-c', 'command -v npm'])).trim());
  const directory = dirname(dirname(home));
  await mkdir(join(root, 'usr/lib'), { recursive: true });
  await cp(directory, join(root, 'usr/lib/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`/usr/lib/npm/bin/${name}-cli.js`, join(root, 'bin', name));
  }
  // Scripts begin with /usr/bin/env.
  await mkdir(join(root, 'usr/bin'), { recursive: true });
  await symlink('/bin/busybox', join(root, 'usr/bin/env'));
}
