import assert from 'node:assert/strict';
import { inBrowser, isTest, loadedWith, PROGRAMS, readText, SERVED } from './tree.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const { dependencies } = JSON.parse(readText('package.json')) as Manifest;

/** `@scope/name/file` and `name/file` to the package. */
const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

/** What a file imports that is neither a file nor a part of Node. */
function packagesIn(file: string): string[] {
  const imports = /^(?:import|export) (?:[^;']*from )?'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...readText(file).matchAll(imports)]
    .map(([, atStart, later]) => atStart ?? later ?? '')
    .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
    .map(packageOf);
}

describe('packages', () => {
  it('of production are those that the server imports', () => {
    const server = SERVED.filter((file) => !inBrowser(file));
    const used = new Set(server.flatMap(packagesIn));
    assert.deepEqual([...used].sort(), Object.keys(dependencies).sort());
  });

  it('and the programs contain no file for tests', () => {
    for (const program of PROGRAMS) {
      assert.deepEqual([...loadedWith(program)].filter(isTest), [], program);
    }
  });
});

/** Kubernetes' names are in one table; texts that people read may show them as examples. */
const SHOWN = new Set(['config/flags.ts']);

/** In a string of the program, not in a comment. */
const isNamed = (line: string): boolean =>
  !/^\s*(?:\/?\*|\/\/)/.test(line) && /^[^/]*['`"][^'`"]*\bk8s\.io/.test(line);

describe('names of Kubernetes', () => {
  it('are written in api/naming.ts alone', () => {
    const found = SERVED.filter((file) => file !== 'api/naming.ts' && !SHOWN.has(file))
      .filter((file) => !inBrowser(file))
      .filter((file) => readText(file).split('\n').some(isNamed));
    assert.deepEqual(found, []);
  });
});
