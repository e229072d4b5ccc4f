import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { FILES, isTest, readText, SERVED } from './tree.ts';

const MAX_LINES = 300;
/** Tables of cases may be longer. */
const MAX_TEST_LINES = 500;
/** Function declarations, and arrow functions whose parameters stand in one line. */
const EXPORTED_FUNCTIONS =
  /^export (?:(?:async )?function\*? (?=\w)|const (?=\w+ = (?:async )?\(.*\).* =>))(\w+)/gm;

describe('a file', () => {
  it(`has at most ${MAX_LINES} lines, a test ${MAX_TEST_LINES}`, () => {
    const long = FILES.filter(
      (file) => readText(file).split('\n').length - 1 > (isTest(file) ? MAX_TEST_LINES : MAX_LINES),
    );
    assert.deepEqual(long, []);
  });

  it('is not a barrel, stands in a folder with an idea, and leaves no work marked as open', () => {
    for (const file of FILES) {
      assert.ok(!/(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/.test(file), file);
      assert.notEqual(basename(file), 'index.ts', file);
      assert.doesNotMatch(
        readText(file),
        /^export \* from /m,
        `${file}: import from the file itself`,
      );
      assert.ok(
        !/\b(FIXME|XXX|TODO)\b/.test(readText(file).replace(/'[^']*'|\/[^/\n]*TODO[^/\n]*\//g, '')),
        `${file}: marks work as open`,
      );
    }
  });

  it('explains each function that it exports', () => {
    const bare: string[] = [];
    for (const file of SERVED) {
      const text = readText(file);
      // the first declaration speaks for all overloads
      const seen = new Set<string>();
      for (const { 1: name = '', index } of text.matchAll(EXPORTED_FUNCTIONS)) {
        const explained = seen.has(name) || /\*\/\n(?:\/\/.*\n)*$/.test(text.slice(0, index));
        seen.add(name);
        if (!explained) bare.push(`${file}: ${name}`);
      }
    }
    assert.deepEqual(bare, []);
  });

  it('makes an ApiObject of JSON by apiObjectOf, which checks it', () => {
    const casts = FILES.filter((file) => /\bas ApiObject\b(?!\[\])/.test(readText(file)));
    assert.deepEqual(casts, []);
  });

  it('takes an object for one of its kind by objectOf, which checks it', () => {
    const cast = /\bobject\(\) as \w|\b(?:object|oldObject) as [A-Z][a-z]/;
    const casts = FILES.filter((file) => !file.endsWith('.test.ts') && cast.test(readText(file)));
    assert.deepEqual(casts, []);
  });
});
