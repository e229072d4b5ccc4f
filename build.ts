/**
 * Writes dist/: the console, and the programs of the server, each bundled with the libraries that
 * it uses. Loading a thousand files took most of the CPU time of a start
 * (docs/decisions/0016-one-file-for-the-server.md).
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildConsole } from './build-console.ts';

/** All in one directory: code finds another program next to itself, whichever file it is bundled into. */
const DIRECTORY = 'dist/server';
/** Each by the name of its file. test/tidy/build.test.ts compares them with what the source starts. */
const PROGRAMS = [
  'server/main.ts',
  'server/probe.ts',
  'storage/embedded/check-process.ts',
  'storage/embedded/page-thread.ts',
  'storage/etcd/range-thread.ts',
  'yaml/worker.ts',
];
/** Has a native part, which has to lie in its own folder. */
const NATIVE = ['lmdb'];
/** Libraries in the older format ask for parts of Node by `require`. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: PROGRAMS,
  outdir: DIRECTORY,
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  // What one way of starting does not need is a file of its own.
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: NATIVE,
  banner: { js: REQUIRE },
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});
keepToOneByte(DIRECTORY);
await buildConsole();

/**
 * V8 keeps the text of a program as long as it runs, in two bytes a character when one of them
 * is beyond Latin-1: 5 MB more for a few arrows in comments. esbuild escapes those in strings;
 * here the others are escaped, which stand in comments and regular expressions.
 */
function keepToOneByte(directory: string): void {
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.js'))) {
    const file = join(directory, name);
    const text = readFileSync(file, 'utf8');
    const escaped = text.replaceAll(
      /[^\0-\xff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (escaped !== text) writeFileSync(file, escaped);
  }
}
