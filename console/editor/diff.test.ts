import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffOf } from './diff.ts';
import { readText, writeText } from './document.ts';
import { sameData, type Data } from './data.ts';

describe('a difference', () => {
  it('shows changed lines with a little context', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    const shown = diffOf(lines.join('\n'), lines.with(10, 'other').join('\n'));
    assert.deepEqual(
      shown.map(({ kind }) => kind),
      ['skipped', 'same', 'same', 'same', 'removed', 'added', 'same', 'same', 'same', 'skipped'],
    );
    assert.deepEqual(diffOf('a\nb', 'a\nb'), []);
  });

  it('transforms one text into the other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffOf(before, after);
        if (before === after) return;
        const of = (kind: string): string =>
          lines
            .filter((line) => line.kind === 'same' || line.kind === kind)
            .map((line) => line.text)
            .join('\n');
        assert.equal(of('removed'), before);
        assert.equal(of('added'), after);
      }),
    );
  });
});

describe('a text of the editor', () => {
  it('is read as the server reads it, with every digit', () => {
    const read = readText(
      'big: 9007199254740993\nyes: no\ntime: 1:30\nday: 2024-01-02\ntext: "yes"\n',
    );
    assert.deepEqual(read.value, {
      big: 9007199254740993n,
      true: false,
      time: '1:30',
      day: '2024-01-02',
      text: 'yes',
    });
    assert.deepEqual(readText('{"a": [1, 2.5]}').value, { a: [1, 2.5] });
  });

  it('locates errors and values', () => {
    const text = 'spec:\n  size: 3\n  users:\n  - name: a\n';
    const read = readText(text);
    assert.deepEqual(read.pathAt(text.indexOf('size')), ['spec', 'size']);
    assert.deepEqual(read.pathAt(text.indexOf('name')), ['spec', 'users', 0, 'name']);
    const [from, to] = read.placeOf(['spec', 'size']);
    assert.equal(text.slice(from, to), '3');
    const [key, end] = read.placeOf(['spec', 'missing']);
    assert.equal(text.slice(key, end), 'spec');
    assert.ok(readText('a: [1').mistakes.length > 0);
  });

  it('is the same value after writing and reading', () => {
    const data = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Data>;
    fc.assert(
      fc.property(data, (value) => {
        // of large numbers the shortest digits are written, which are another integer
        const clean = JSON.parse(JSON.stringify(value), (_, each: unknown) =>
          Number.isInteger(each) && !Number.isSafeInteger(each) ? 1 : each,
        ) as Data;
        const again = readText(writeText(clean)).value;
        assert.ok(sameData(again, clean), writeText(clean));
      }),
    );
  });
});
