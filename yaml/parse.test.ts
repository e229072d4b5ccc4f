import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepEqual, type JsonValue } from '../api/json.ts';
import { parseJson } from '../api/json-parse.ts';
import { stringifyJson } from '../api/json-write.ts';
import { parseYaml } from './parse.ts';
import { YamlSyntaxError } from './source.ts';

const valueOf = (text: string): JsonValue => parseYaml(text).value;

function refuses(text: string, message: RegExp): void {
  assert.throws(
    () => parseYaml(text),
    (error) => error instanceof YamlSyntaxError && message.test(error.message),
    text.slice(0, 80),
  );
}

describe('parseYaml', () => {
  it('reads blocks, brackets, comments and document starts', () => {
    const text = `%YAML 1.1
---
# the shop
apiVersion: v1
metadata: # here
  labels: {app: web, "quoted key": 'it''s', empty: }
  list:
  - a
  - - b
    - c
  -
    d: 1
    e: 2
  - f: 3
    g:
    - 4
spec:
    ? explicit
    : value
    ? lonely
    nothing:
    flow: [1, [2, three: 3], {x: 1}, ]
...
ignored: [
`;
    assert.deepEqual(valueOf(text), {
      apiVersion: 'v1',
      metadata: {
        labels: { app: 'web', 'quoted key': "it's", empty: null },
        list: ['a', ['b', 'c'], { d: 1, e: 2 }, { f: 3, g: [4] }],
      },
      spec: {
        explicit: 'value',
        lonely: null,
        nothing: null,
        flow: [1, [2, { three: 3 }], { x: 1 }],
      },
    });
    assert.equal(valueOf(''), null);
    assert.equal(valueOf('# nothing\n'), null);
  });

  it('takes the first of several documents', () => {
    assert.deepEqual(valueOf('a: 1\n---\nb: 2\n'), { a: 1 });
    assert.deepEqual(valueOf('--- {a: 1}\n---\n[[['), { a: 1 });
  });

  it('reads the scalars of YAML 1.1', () => {
    const cases: Record<string, JsonValue> = {
      'yes, no, on, off, True, y, n, "yes"': [true, false, true, false, true, true, false, 'yes'],
      '010, 0o10, 0x1F, 0b11, 1_000, +5, -7, 08': [8, 8, 31, 3, 1000, 5, -7, 8],
      '1e3, .5, 1.0, 5., 1_0.5, 1e400': [1000, 0.5, 1, 5, 10.5, '1e400'],
      '~, null, Null, "null", ': [null, null, null, 'null'],
      '2024-01-31, 12:30:45, 1:30': ['2024-01-31', '12:30:45', '1:30'],
      '9007199254740993, 9223372036854775807, 18446744073709551616': [
        9007199254740993n,
        9223372036854775807n,
        18446744073709551616,
      ],
      '!!str 1, !!int "3", !!float 1, ! 2, !own x, !!binary aGk=': ['1', 3, 1, 2, 'x', 'hi'],
    };
    for (const [items, expected] of Object.entries(cases)) {
      assert.ok(deepEqual(valueOf(`[${items}]`), expected), items);
    }
  });

  it('makes text of keys that are none', () => {
    assert.deepEqual(valueOf('{1: one, true: yes, 1.5: x, y: z}'), {
      '1': 'one',
      true: 'z',
      '1.5': 'x',
    });
    const value = valueOf('__proto__: {a: 1}\nconstructor: 2\n');
    assert.equal(JSON.stringify(value), '{"__proto__":{"a":1},"constructor":2}');
  });

  it('folds and keeps lines', () => {
    const cases: [string, string][] = [
      ['a: |\n  one\n   two\n\n  three\n\n\n', 'one\n two\n\nthree\n'],
      ['a: |-\n  one\n', 'one'],
      ['a: |+\n  one\n\n', 'one\n\n'],
      ['a: |2\n    one\n', '  one\n'],
      ['a: >\n  one\n  two\n\n  three\n   four\n  five\n', 'one two\nthree\n four\nfive\n'],
      ['a: >-\n  shop:5\n', 'shop:5'],
      ['a: one\n  two\n\n  three # no\n', 'one two\nthree'],
      ['a: "one\n  two\\n\\\n  three\\u00e4\\x41\\U0001F600"', 'one two\nthree\u00e4A\u{1f600}'],
      ["a: 'one\n\n  two'", 'one\ntwo'],
      ['a: one#two', 'one#two'],
      ['a: http://x:1/y?z', 'http://x:1/y?z'],
    ];
    for (const [text, expected] of cases) assert.deepEqual(valueOf(text), { a: expected }, text);
  });

  it('copies what anchors name, and merges', () => {
    assert.deepEqual(valueOf('a: &x {k: [1]}\nb: *x\nc: &x 2\nd: [*x]\n&k e: *k'), {
      a: { k: [1] },
      b: { k: [1] },
      c: 2,
      d: [2],
      e: 'e',
    });
    const { a, b } = valueOf('a: &x {k: 1}\nb: *x') as Record<string, JsonValue>;
    assert.notEqual(a, b);
    assert.deepEqual(valueOf('a: &x {one: 1, two: 2}\nb:\n  <<: *x\n  three: 3\n'), {
      a: { one: 1, two: 2 },
      b: { one: 1, two: 2, three: 3 },
    });
    assert.deepEqual(valueOf('{<<: [{a: 1, b: 1}, {b: 2, c: 2}], "<<": q}'), {
      a: 1,
      b: 1,
      c: 2,
      '<<': 'q',
    });
  });

  it('reports keys that come twice, with their paths and lines', () => {
    const { value, duplicates } = parseYaml('a:\n  b:\n  - c: 1\n    c: 2\nd: 1\nd:\n  2\n');
    assert.deepEqual(value, { a: { b: [{ c: 2 }] }, d: 2 });
    assert.deepEqual(duplicates, [
      { path: 'a.b[0].c', key: 'c', line: 4 },
      { path: 'd', key: 'd', line: 7 },
    ]);
    const merged = parseYaml('spec:\n  base: &b {one: 1, two: 2}\n  more: {<<: *b, two: 3}\n');
    assert.deepEqual(merged.duplicates, [{ path: 'spec.more.two', key: 'two', line: 3 }]);
    const json = parseYaml('{"a":{"b":1,"b":2}}');
    assert.deepEqual(json.duplicates, [{ path: 'a.b', key: 'b', line: 1 }]);
  });

  it('says where it stops understanding', () => {
    const cases: [string, RegExp][] = [
      ['metadata: [\n', /^line 1: .* brackets/],
      ['a: b: c', /^line 1: mapping values are not allowed/],
      ['a: 1\n  b: 2', /^line 2: mapping values are not allowed/],
      ['a:\n    b: 1\n  c: 2', /^line 3: did not find expected key/],
      ['a: *nope', /unknown anchor 'nope'/],
      ['a: &x [*x]', /contains itself/],
      ['a: .inf', /unsupported value: \.inf/],
      ['a: .NaN', /unsupported value/],
      ['a: !!int x', /cannot decode !!str `x` as a !!int/],
      ['{[1]: 2}', /invalid map key/],
      ['{~: 2}', /must not be null/],
      ['{<<: 1}', /map merge requires/],
      ['a: @b', /cannot start any token/],
      ['a: "b', /unexpected end of stream/],
      ['a: "\\q"', /unknown escape/],
      ['a: "\\ud800"', /invalid Unicode/],
      ['a:\n\t- b', /cannot start any token/],
      ['\ta: b', /cannot start any token/],
      ['a: \x01', /control characters/],
      ['%FOO\n---\na: 1', /directive/],
      ['a: |x\n  b', /expected comment or line break/],
      [`${'k'.repeat(2000)}: v`, /mapping values|expected ':'/],
      ['- a\nb: c', /expected '-'/],
      ['a: 1\nb', /expected ':'/],
    ];
    for (const [text, message] of cases) refuses(text, message);
  });

  it('reads every JSON text as JSON does (property)', () => {
    const json = fc.jsonValue({ stringUnit: 'binary', depthSize: 'medium' });
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = stringifyJson(value as JsonValue, indent);
        if (/[\x7f-\x9f\ufffe\uffff]|\\ud[89a-f]/.test(text)) return;
        // in brackets, so that the YAML reader reads it
        assert.deepEqual(valueOf(`[${text}]`), parseJson(`[${text}]`).value);
      }),
      { numRuns: 500 },
    );
  });

  it('never fails in another way than it says (property)', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        ': ',
        ':',
        '- ',
        '? ',
        '\n',
        '\n  ',
        '\n    ',
        '[',
        ']',
        '{',
        '}',
        ', ',
        '"',
        "'",
      ],
      ...['#', ' #', '|', '>', '|-', '&x ', '*x', '!!str ', '!!int ', '<<: ', '010', '---\n', '\t'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          parseYaml(pieces.join(''));
        } catch (error) {
          assert.ok(error instanceof YamlSyntaxError, String(error));
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe('hostile YAML', () => {
  const SIZE = 3 * 1024 * 1024;
  /** Of the processor: others use the machine as well. */
  function cost(text: string): number {
    const before = process.cpuUsage();
    try {
      parseYaml(text);
    } catch (error) {
      assert.ok(error instanceof YamlSyntaxError, String(error));
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }
  const fill = (unit: string, size: number): string => unit.repeat(Math.floor(size / unit.length));

  it('that expands itself costs little', () => {
    const levels = Array.from('bcdefghi', (name, i) => {
      const below = `*${'abcdefgh'[i]}`;
      return `${name}: &${name} [${Array(9).fill(below).join(', ')}]`;
    });
    const bombs = [
      ['a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]', ...levels].join('\n'),
      `a: &a "${'x'.repeat(100_000)}"\nb: [${fill('*a, ', 100_000)}]`,
      `a: &a {x: 1}\nb: {<<: [${fill('*a, ', 1_000_000)}]}`,
      Array.from({ length: 900 }, (_, i) => `&a${i} [`).join('') + ']'.repeat(900),
    ];
    for (const bomb of bombs) cost(bomb);
    for (const bomb of bombs) assert.ok(cost(bomb) < 150, bomb.slice(0, 60));
  });

  it('that is nested deeply is refused at once', () => {
    for (const unit of ['[', '{', '- ', '? ', '{? ', '&a\n', '[a: ', '{a: ']) {
      assert.ok(cost(fill(unit, SIZE)) < 250, unit);
      refuses(fill(unit, SIZE), /exceeded max depth of 1000|expected/);
    }
  });

  it('costs time in proportion to its length', () => {
    const units = [
      '1, ',
      'x ',
      'x\n  ',
      '#\n',
      '- a\n',
      'k: v\n',
      '"',
      "''",
      ':',
      '*a, ',
      '&a ',
      '!t ',
      '\n',
      '"\\n',
      '? a\n',
      '|\n',
      '%YAML\n',
      '\t',
    ];
    for (const unit of units) {
      for (const start of ['', '[', 'a: "', 'a: |\n  ']) {
        const small = Math.min(cost(start + fill(unit, 20_000)), cost(start + fill(unit, 20_000)));
        const large = cost(start + fill(unit, 200_000));
        // quadratic work would cost a hundred times as much
        assert.ok(large < 30 * small + 60, `${start}${unit}: ${small} ms, ${large} ms`);
      }
    }
  });
});
