import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Plinth } from '../support/plinth.ts';

interface Described {
  readonly path: string;
  readonly etag: string;
}

/**
 * A build with a console whose files have other names, as after an upgrade. A part
 * that `isMissing` says is named by the others, and not there.
 */
export function otherBuild(isMissing: (path: string) => boolean = () => false): string {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-other-build-'));
  cpSync('dist/server', join(folder, 'server'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const manifest = readFileSync('dist/console/manifest.json', 'utf8');
  const files = JSON.parse(manifest) as Described[];
  const names = files
    .filter(({ path }) => path.startsWith('assets/'))
    .map(({ path }) => basename(path));
  const renamed = (text: string): string =>
    names.reduce((all, name) => all.replaceAll(name, name.replace('-', '-other-')), text);
  const kept = files.filter(({ path }) => !isMissing(path));
  for (const { path } of kept) {
    const content = Buffer.from(renamed(readFileSync(join('dist/console', path), 'utf8')));
    const file = join(folder, 'console', renamed(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content));
  }
  const described = kept.map((file) => ({
    ...file,
    ...{ path: renamed(file.path), etag: `other-${file.etag}` },
  }));
  writeFileSync(join(folder, 'console/manifest.json'), JSON.stringify(described));
  return join(folder, 'server/main.js');
}

/** Ends a server, and starts the program of another build on its data and port. */
export async function upgrade(plinth: Plinth, program: string): Promise<Plinth> {
  await plinth.stop();
  const port = Number(new URL(plinth.url).port);
  return Plinth.start({ dataDir: plinth.dataDir, port, program });
}
