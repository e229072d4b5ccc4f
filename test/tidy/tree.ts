import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Folders at the top level that hold no TypeScript of the project. */
const NOT_CODE = new Set(['deploy', 'docs', 'dist', 'data', 'node_modules', 'coverage']);

/** Top-level folders that hold code: the rooms of the project. */
export const ROOMS: readonly string[] = readdirSync(ROOT, {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  .map((entry) => entry.name)
  .filter((name) => !NOT_CODE.has(name));

/** All TypeScript files of the rooms, relative to the root. */
export const FILES: readonly string[] = ROOMS.flatMap((room) => [...filesIn(room, /\.tsx?$/)]);

/** Sources, documents, manifests and scripts: all that people read, relative to the root. */
export const TEXTS: readonly string[] = [
  ...filesAtTop(/\.(md|yml|js)$/),
  ...[...ROOMS, 'deploy', 'docs'].flatMap((dir) => [
    ...filesIn(dir, /\.(ts|mjs|md|ya?ml|sh|cfg|service)$|^[^.]+$/),
  ]),
];

/** Tests, what supports them, and benchmarks: no part of the server. */
export const isTest = (file: string): boolean =>
  /\.test\.tsx?$|\/testing\.ts$|-testing\.ts$|\/testing\//.test(file) ||
  /^(test|bench|examples)\//.test(file);

/** The files of the server itself. */
export const SERVED: readonly string[] = FILES.filter((file) => !isTest(file));

/** What runs in browsers: the console and its client. Never part of the server's programs. */
export const inBrowser = (file: string): boolean => /^(client|console)\//.test(file);

/** Files that start a process; no other file imports them. */
export const PROGRAMS: ReadonlySet<string> = new Set(['server/main.ts', 'server/probe.ts']);

export const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/**
 * What a file imports, type-only imports and the programs of worker threads and
 * processes included: packages by name, files relative to the root.
 */
export function importsOf(file: string): string[] {
  return targetsOf(file, /(?:from|import|new URL)\s*\(?\s*'([^']+)'/g);
}

/** The same without the programs that the file starts, which import it into a world of their own. */
export function loadsOf(file: string): string[] {
  return targetsOf(file, /(?:from|import)\s*\(?\s*'([^']+)'/g);
}

function targetsOf(file: string, pattern: RegExp): string[] {
  return [...readText(file).matchAll(pattern)].map(([, target = '']) => {
    if (!target.startsWith('.')) return target;
    // a worker thread is named by the file that the build makes
    return relative(ROOT, resolve(ROOT, dirname(file), target)).replace(/\.js$/, '.ts');
  });
}

/** All files and packages that are loaded with a file: what it imports statically, and so on. */
export function loadedWith(file: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (target: string): void => {
    if (loaded.has(target)) return;
    loaded.add(target);
    if (!/\.tsx?$/.test(target)) return;
    const statements = readText(target).matchAll(
      /^(?:import|export) (?!type )(?:[^;']*from )?'([^']+)'/gm,
    );
    for (const [, name = ''] of statements) {
      visit(name.startsWith('.') ? join(dirname(target), name) : name);
    }
  };
  visit(file);
  return loaded;
}

/** The first circle among the nodes of a graph; undefined: there is none. */
export function circleIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next);
      if (circle !== undefined) return circle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

function filesAtTop(name: RegExp): string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => entry.name);
}

function* filesIn(dir: string, name: RegExp): Iterable<string> {
  for (const entry of readdirSync(join(ROOT, dir), { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, name);
    else if (name.test(entry.name)) yield path;
  }
}
