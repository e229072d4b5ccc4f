import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { deepEqual, type JsonValue } from '../api/json.ts';
import { yamlItem, yamlText } from './emit.ts';
import { compareKeys } from './key-order.ts';
import { parseYaml } from './parse.ts';

describe('yamlText', () => {
  it('writes an object as clients know it', () => {
    const object = {
      kind: 'Gadget',
      apiVersion: 'example.com/v1',
      metadata: {
        annotations: { note: 'two\nlines\n' },
        creationTimestamp: '2024-01-02T03:04:05Z',
        managedFields: [{ fieldsV1: { 'f:spec': { 'f:size': {}, '.': {} } }, manager: 'me' }],
        resourceVersion: '5',
      },
      spec: { tags: ['x', 'yes', '1'], none: [], size: 1, big: 9007199254740993n },
    };
    assert.equal(
      yamlText(object),
      `apiVersion: example.com/v1
kind: Gadget
metadata:
  annotations:
    note: |
      two
      lines
  creationTimestamp: "2024-01-02T03:04:05Z"
  managedFields:
  - fieldsV1:
      f:spec:
        .: {}
        f:size: {}
    manager: me
  resourceVersion: "5"
spec:
  big: 9007199254740993
  none: []
  size: 1
  tags:
  - x
  - "yes"
  - "1"
`,
    );
  });

  it('quotes what would mean something else', () => {
    const cases: [JsonValue, string][] = [
      ['', '""'],
      ['plain words', 'plain words'],
      ['a: b', "'a: b'"],
      ['a #b', "'a #b'"],
      ['- a', "'- a'"],
      ["it's", "it's"],
      ["'", "''''"],
      [' a', "' a'"],
      ['a\tb', '"a\\tb"'],
      ['\u{1f600}', '"\\U0001F600"'],
      ['\u00e4', '\u00e4'],
      ['\u2028', '"\\L"'],
      ['y', '"y"'],
      ['null', '"null"'],
      ['0x10', '"0x10"'],
      ['1e3', '"1e3"'],
      ['1_000', '"1_000"'],
      ['12:30:45', '"12:30:45"'],
      ['2024-01-31', '"2024-01-31"'],
      ['2024-13-31', '2024-13-31'],
      ['1.2.3', '1.2.3'],
      ['a\nb', '|-\n  a\n  b'],
      ['\na\n\n', '|2+\n\n  a\n'],
      ['a \nb', '"a \\nb"'],
      [1.5, '1.5'],
      [1e21, '1e+21'],
      [1234567.5, '1.2345675e+06'],
      [1e19, '10000000000000000000'],
      [1e20, '1e+20'],
      [0.00001, '1e-05'],
      [null, 'null'],
      [true, 'true'],
      [{}, '{}'],
      [[[1, []], { a: [2] }], '- - 1\n  - []\n- a:\n  - 2'],
    ];
    for (const [value, text] of cases) assert.equal(yamlText(value), `${text}\n`);
  });

  it('breaks long texts at blanks', () => {
    const words = Array(30).fill('word').join(' ');
    const [first = '', second = ''] = yamlText({ a: words }).split('\n');
    assert.equal(first.length, 82);
    assert.match(second, /^ {2}word/);
    assert.equal(yamlText({ [words.slice(0, 89)]: 1 }), `${words.slice(0, 89)}: 1\n`);
    assert.equal(yamlText({ [words]: 1 }).slice(0, 2), '? ');
  });

  it('writes items of a list where the list stands', () => {
    const item = { b: [1], a: { c: 'x' } };
    assert.equal(yamlText({ items: [item] }), `items:\n${yamlItem(item)}`);
  });

  it('does not multiply its size by the depth of a value', () => {
    let value: JsonValue = 'x';
    for (let i = 0; i < 450; i++) value = { a: [value] };
    const text = yamlText(value);
    assert.ok(text.length < 30_000, String(text.length));
    assert.deepEqual(parseYaml(text).value, value);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom(...Array.from(' \n:#-?\'"|>&*!%@{}[],~ab01._\t')),
      maxLength: 20,
    }),
    fc.array(fc.lorem({ maxCount: 3 }), { maxLength: 40 }).map((words) => words.join(' ')),
    fc.constantFrom('yes', 'No', '<<', '=', '1:30', '.inf', '0o7', '+1', '---', '...', '1_0'),
  );
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      text,
      fc.double({ noInteger: true, noDefaultInfinity: true, noNaN: true }),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
      fc.constantFrom(null, true, false),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(text, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }));

  it('is read back as the same value (property)', () => {
    fc.assert(
      fc.property(value, (made) => {
        const written = yamlText(made);
        assert.ok(deepEqual(parseYaml(written).value, made), written);
      }),
      { numRuns: 2000 },
    );
  });

  it('is read as the same value by another reader (property)', () => {
    fc.assert(
      fc.property(value, (made) => {
        const written = yamlText({ value: made });
        const [document] = parseAllDocuments(written, { intAsBigInt: true });
        assert.ok(document !== undefined && document.errors.length === 0, written);
        const read = document.toJS({ mapAsMap: false }) as { value: JsonValue };
        assert.ok(deepEqual(read.value, made), written);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('compareKeys', () => {
  it('puts letters last and compares numbers by value', () => {
    const keys = [
      'b',
      'a10',
      'a2',
      'a',
      'B',
      '.',
      'f:x',
      '1',
      '02',
      '2',
      '10',
      '_',
      '\u00e4',
      'a-b',
    ];
    assert.deepEqual(keys.sort(compareKeys), [
      ...['.', '_', '1', '2', '02', '10', 'B', 'a', 'a-b', 'a2', 'a10', 'b', 'f:x', '\u00e4'],
    ]);
  });
});
