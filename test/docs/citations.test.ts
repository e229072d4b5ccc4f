import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** A text with the line breaks of its comments taken out, so that a citation stays in one piece. */
const flat = (file: string): string => read(file).replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');

/** Tracked sources and documents that may cite a rule. */
const FILES = execFileSync('git', ['ls-files', '*.ts', '*.md', '*.yml', '*.yaml'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('docs/specification.md'));

/** Rule numbers of docs/behaviours.md, and the numbers of its parts. */
const rules = new Set([
  ...[...read('docs/behaviours.md').matchAll(/^\| (\d+\.\d+) \|/gm)].map(([, n = '']) => n),
  ...[...read('docs/behaviours.md').matchAll(/^##+ (\d+(?:\.\d+)?)[. ]/gm)].map(([, n = '']) => n),
]);
/** Sections of docs/specification.md, as part and number. */
const sections = new Set(
  [...read('docs/specification.md').matchAll(/^## (\d\/[\d.]+) /gm)].map(([, n = '']) => n),
);

/** What is cited and where, for every citation that `cited` finds in a text. */
function* citations(cited: (text: string) => Iterable<string>): Iterable<[string, string]> {
  for (const file of FILES) {
    for (const number of cited(flat(file))) yield [number, file];
  }
}

describe('citations', () => {
  it('of behaviours lead to a rule of docs/behaviours.md', () => {
    const wrong: string[] = [];
    let seen = 0;
    for (const [number, file] of citations(function* (text) {
      for (const [, list = ''] of text.matchAll(
        /\bbehaviours? ([A-Z]?\d+(?:\.\d+)?(?:(?:, | and | to )[A-Z]?\d+(?:\.\d+)?)*)/gi,
      )) {
        yield* list.split(/, | and | to /);
      }
    })) {
      seen++;
      if (!rules.has(number)) wrong.push(`${file}: behaviours ${number}`);
    }
    assert.ok(rules.size > 100 && seen > 100, 'rules and citations were found');
    assert.deepEqual(wrong, []);
  });

  it('of the specification lead to a section of docs/specification.md', () => {
    const wrong: string[] = [];
    let seen = 0;
    for (const [section, file] of citations(function* (text) {
      for (const [, part = '', list = ''] of text.matchAll(
        /\bspecification ([123]), sections? (\d+(?:\.\d+)?(?: and \d+(?:\.\d+)?)*)/gi,
      )) {
        for (const number of list.split(' and ')) yield `${part}/${number}`;
      }
    })) {
      seen++;
      if (!sections.has(section)) wrong.push(`${file}: specification ${section}`);
    }
    assert.ok(sections.size > 20 && seen > 30, 'sections and citations were found');
    assert.deepEqual(wrong, []);
  });
});
