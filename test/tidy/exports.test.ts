import assert from 'node:assert/strict';
import { dirname, relative, resolve } from 'node:path';
import { FILES, importsOf, isTest, PROGRAMS, readText, ROOT, SERVED } from './tree.ts';

/** Complete parts of a language whose users are still to come: file, and what it is for. */
const KEPT_FOR_COMPLETENESS = new Set(['cel/libraries/encoders.ts', 'cel/libraries/math.ts']);
/** Words of a language, and a table of names that clients know: complete, whether the server uses each or not. */
const COMPLETE = new Set([
  ...KEPT_FOR_COMPLETENESS,
  'api/naming.ts',
  'cel/libraries/string-library.ts',
  'cel/value/type.ts',
]);
/**
 * What the server does in steps or with options, in one call for tests and
 * benchmarks: file and name.
 */
const SHORT_FORMS = new Set([
  'patch/patch-options.ts: validateManagedFields',
  'registry/list-options.ts: EVERYTHING',
  'resources/feature-gates.ts: DEFAULT_FEATURE_GATES',
  'schema/rules/rule-set.ts: buildRules',
]);

const importers = new Map<string, string[]>();
const importedNames = new Map<string, Set<string>>();
/** Those of `importedNames` that the server imports, and not only its tests. */
const servedNames = new Map<string, Set<string>>();
for (const file of FILES) {
  for (const target of importsOf(file)) {
    importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  for (const [, clause = '', target = ''] of readText(file).matchAll(
    /(?:import|export|const)\s+([^'"=;]*?)\s+(?:from|= await import\()\s*'(\.[^']+)'/g,
  )) {
    const path = relative(ROOT, resolve(ROOT, dirname(file), target));
    for (const known of isTest(file) ? [importedNames] : [importedNames, servedNames]) {
      const names = known.get(path) ?? new Set<string>();
      known.set(path, names);
      for (const name of namesIn(clause)) names.add(name);
    }
  }
}

/** The names that a file has from another one by an import clause; `*`: all of them. */
function namesIn(clause: string): string[] {
  const parts = (/\{([^}]*)\}/.exec(clause)?.[1] ?? '').split(',').map((part) => part.trim());
  const names = parts.map((part) => part.replace(/^type\s+/, '').split(/\s+as\s+/)[0] ?? '');
  return /\*\s+as/.test(clause) ? ['*', ...names] : names;
}

const EXPORTS =
  /^export (?:declare )?(?:abstract class|async function\*?|function\*?|class|const|let|interface|type) ([\w$]+)/gm;

/** A library has more than its first user asks for; `console/main.tsx` is what the page starts. */
const isPublished = (file: string): boolean => file.startsWith('client/');
const PAGE_PROGRAM = 'console/main.tsx';

describe('what the server consists of', () => {
  it('is imported by the server, file by file', () => {
    const dead = SERVED.filter(
      (file) =>
        !PROGRAMS.has(file) &&
        file !== PAGE_PROGRAM &&
        !isPublished(file) &&
        !KEPT_FOR_COMPLETENESS.has(file) &&
        (importers.get(file) ?? []).every(isTest),
    );
    assert.deepEqual(dead, []);
  });

  it('is exported only where another file imports it', () => {
    const needless: string[] = [];
    for (const file of FILES) {
      const names = importedNames.get(file);
      if (names?.has('*') === true || isPublished(file)) continue;
      for (const [, name = ''] of readText(file).matchAll(EXPORTS)) {
        // mocha finds its root hooks by their names
        if (names?.has(name) !== true && !name.startsWith('mocha'))
          needless.push(`${file}: ${name}`);
      }
    }
    assert.deepEqual(needless, []);
  });

  it('is used by the server, name by name', () => {
    const onlyTested: string[] = [];
    for (const file of SERVED) {
      const names = servedNames.get(file);
      if (names?.has('*') === true || COMPLETE.has(file) || isPublished(file)) continue;
      const text = readText(file);
      for (const [, name = ''] of text.matchAll(EXPORTS)) {
        const isUsedHere =
          text.split(new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w$])`)).length > 2;
        if (names?.has(name) !== true && !isUsedHere) onlyTested.push(`${file}: ${name}`);
      }
    }
    assert.deepEqual(onlyTested.sort(), [...SHORT_FORMS].sort());
  });
});
