/**
 * Writes dist/console/: the console as a browser loads it. Every file but the page
 * has a name that changes with its content, and lies next to its Brotli and gzip
 * forms; manifest.json tells the server what there is.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const DIRECTORY = 'dist/console';
/** Below this path the server serves the files. */
const BASE = '/console/';
const PAGE = 'console/index.html';
/** What the page names, and the source that is built in its place. */
const ENTRIES: Readonly<Record<string, string>> = {
  'main.js': 'console/main.tsx',
  'console.css': 'console/style/console.css',
  'icon.svg': 'console/icon.svg',
};
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Builds everything; the header of this file says what lies where. */
export async function buildConsole(): Promise<void> {
  const { metafile } = await build({
    entryPoints: Object.values(ENTRIES),
    outdir: DIRECTORY,
    outbase: 'console',
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy', '.woff2': 'copy' },
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'warning',
  });
  const outputs = Object.entries(metafile.outputs);
  const builtOf = (source: string): string => {
    const found = outputs.find(
      ([path, { entryPoint, inputs }]) =>
        entryPoint === source || (extname(path) === '.svg' && source in inputs),
    );
    if (found === undefined) throw new Error(`esbuild has not made anything of ${source}`);
    return relative(DIRECTORY, found[0]);
  };
  let page = readFileSync(PAGE, 'utf8');
  for (const [name, source] of Object.entries(ENTRIES)) {
    page = page.replaceAll(`"${name}"`, `"${BASE}${builtOf(source)}"`);
  }
  const files = outputs.map(([path]) => described(relative(DIRECTORY, path), readFileSync(path)));
  const index = described(basename(PAGE), Buffer.from(page));
  writeFileSync(join(DIRECTORY, 'manifest.json'), JSON.stringify([index, ...files], null, 2));
}

/** Writes a file with its compressed forms. */
function described(path: string, content: Buffer): object {
  const file = join(DIRECTORY, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`the type of ${path} is not known`);
  const etag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { path, type, etag, isImmutable: path.startsWith('assets/') };
}
