import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const COUNT = 34;
/** Rows of the table: number, what is promised, where it is tested. */
const ROW = /^\| (G\d+) \| [^|]+ \| (.+) \|$/;
/** A file with the titles that follow it. */
const TESTED = /`([\w/.-]+\.ts)`((?:[,;]? "[^"]+")+)/g;
/** What goes wrong in a run of chaos.test.ts stands apart. */
const FAULTS = 'test/chaos/cluster/faults.ts';
const QUOTES = ["'", '"', '`'];

/** A title stands where a test or a suite begins, or is the key of what tests are made of. */
function hasTitle(file: string, title: string): boolean {
  const source = readFileSync(file, 'utf8');
  const text = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return QUOTES.some((q) =>
    new RegExp(`\\b(?:it|describe)\\(\\s*${q}${text}${q}|^\\s*${q}${text}${q}:`, 'm').test(source),
  );
}

describe('docs/guarantees.md', () => {
  const rows = readFileSync('docs/guarantees.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| G'))
    .map((line) => {
      const [, number = '', cell = ''] = ROW.exec(line) ?? [];
      const tests = [...cell.matchAll(TESTED)].flatMap(([, file = '', titles = '']) =>
        [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
      );
      return { number, cell, tests };
    });

  it('has a row for every guarantee', () => {
    assert.deepEqual(
      rows.map(({ number }) => number),
      Array.from({ length: COUNT }, (_, i) => `G${i + 1}`),
    );
  });

  for (const { number, cell, tests } of rows) {
    it(`${number}: every test that is named exists`, () => {
      assert.notEqual(tests.length, 0);
      const files = [...cell.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file);
      assert.deepEqual(new Set(tests.map(({ file }) => file)), new Set(files), 'each has a title');
      for (const { file, title } of tests) {
        assert.ok(file === FAULTS || file.endsWith('.test.ts'), `${file} is a test`);
        assert.ok(hasTitle(file, title), `${file} has no "${title}"`);
      }
      assert.ok(
        tests.some(({ file }) => file !== FAULTS),
        'the place of a fault is not a test',
      );
    });
  }
});
