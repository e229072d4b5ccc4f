import assert from 'node:assert/strict';
import { dirname, relative, resolve } from 'node:path';
import { FILES, importsOf, isTest, PROGRAMS, readText, ROOT, SERVED } from './tree.ts';

/** Complete parts of a language whose users are still to come: file, and what it is for. */
const KEPT_FOR_COMPLETENESS = new Set(['cel/libraries/encoders.ts', 'cel/libraries/math.ts']);

const importers = new Map<string, string[]>();
const importedNames = new Map<string, Set<string>>();
for (const file of FILES) {
  for (const target of importsOf(file)) {
    importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  for (const [, clause = '', target = ''] of readText(file).matchAll(
    /(?:import|export|const)\s+([^'"=;]*?)\s+(?:from|= await import\()\s*'(\.[^']+)'/g,
  )) {
    const path = relative(ROOT, resolve(ROOT, dirname(file), target));
    const names = importedNames.get(path) ?? new Set<string>();
    importedNames.set(path, names);
    if (/\*\s+as/.test(clause)) names.add('*');
    for (const part of (/\{([^}]*)\}/.exec(clause)?.[1] ?? '').split(',')) {
      names.add(
        part
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] ?? '',
      );
    }
  }
}

describe('what the server consists of', () => {
  it('is imported by the server, file by file', () => {
    const dead = SERVED.filter(
      (file) =>
        !PROGRAMS.has(file) &&
        !KEPT_FOR_COMPLETENESS.has(file) &&
        (importers.get(file) ?? []).every(isTest),
    );
    assert.deepEqual(dead, []);
  });

  it('is exported only where another file imports it', () => {
    const needless: string[] = [];
    for (const file of FILES) {
      const names = importedNames.get(file);
      if (names?.has('*') === true) continue;
      for (const [, name = ''] of readText(file).matchAll(
        /^export (?:declare )?(?:abstract class|async function\*?|function\*?|class|const|let|interface|type) ([\w$]+)/gm,
      )) {
        // mocha finds its root hooks by their names
        if (names?.has(name) !== true && !name.startsWith('mocha'))
          needless.push(`${file}: ${name}`);
      }
    }
    assert.deepEqual(needless, []);
  });
});
