/**
 * Writes dist/: the console, and the programs of the server, each bundled with the libraries that
 * it uses. Loading a thousand files took most of the CPU time of a start
 * (docs/decisions/0016-one-file-for-the-server.md).
 */
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { buildConsole } from './build-console.ts';

/** All in one directory: code finds another program next to itself, whichever file it is bundled into. */
const DIRECTORY = 'dist/server';
/** Each by the name of its file. test/tidy/build.test.ts compares them with what the source starts. */
const PROGRAMS = [
  'server/main.ts',
  'server/probe.ts',
  'storage/embedded/check-process.ts',
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
await buildConsole();
