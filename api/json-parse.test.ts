import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepEqual, setOwn, type JsonObject, type JsonValue } from './json.ts';
import { JsonSyntaxError } from './json-error.ts';
import { numberFromLiteral } from './json-number.ts';
import { parseJson, parseStoredJson } from './json-parse.ts';
import { MAX_REPORTED_DUPLICATES } from './json-reader.ts';
import { stringifyJson } from './json-write.ts';

const valueOf = (text: string): JsonValue => parseJson(text).value;
const refuses = (text: string, message: RegExp | string = ''): void =>
  assert.throws(
    () => parseJson(text),
    (error) => error instanceof JsonSyntaxError && new RegExp(message).test(error.message),
    text.slice(0, 80),
  );

const key = fc.oneof(
  fc.string({ maxLength: 4, unit: 'binary' }).map((s) => s.toWellFormed()),
  fc.constantFrom('__proto__', 'constructor', 'toJSON', '1', '10', '', 'a:b', '"', '\\'),
);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, 1e21, 1.5e-7, 2 ** 53),
  fc.integer(),
  // a float that is an integer of 64 bits is written like one, and read back as a bigint
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n) || Math.abs(n) >= 2 ** 64)
    .map((n) => (Object.is(n, -0) ? 0 : n)),
  fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) - 1n }),
  fc.string({ unit: 'binary' }).map((s) => s.toWellFormed()),
);
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((entries) => {
      const object: JsonObject = {};
      for (const [k, v] of entries) setOwn(object, k, v);
      return object;
    }),
  ),
}));

function hasInfinity(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return value === Infinity || value === -Infinity;
  return Object.values(value).some(hasInfinity);
}

describe('parseJson', () => {
  it('reads back what is written, compact or indented (property)', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1, 2), (value, indent) => {
        const parsed = parseJson(stringifyJson(value, indent));
        assert.ok(deepEqual(parsed.value, value));
        assert.deepEqual(parsed.duplicates, []);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same value on the fast and the exact path (property)', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = stringifyJson(value);
        // a key twice sends the whole text the exact way
        const { value: wrapped } = parseJson(`{"a":0,"a":[${text}],"b":"\\ud83c\\udf89"}`);
        assert.ok(deepEqual(wrapped, { a: [valueOf(text)], b: '🎉' }));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses exactly what JSON.parse refuses (property)', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"',
      '1',
      '-',
      '1e5',
      '01',
      ' ',
      '\\',
      'true',
      '\n',
      '\t"',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 9 }), (tokens) => {
        const text = tokens.join('');
        let expected: JsonValue | undefined;
        try {
          expected = JSON.parse(text) as JsonValue;
        } catch {
          refuses(text);
          return;
        }
        if (hasInfinity(expected)) {
          refuses(text, 'out of range');
          return;
        }
        assert.ok(deepEqual(valueOf(text), expected));
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps integers of 64 bits exact and makes larger ones floats', () => {
    const cases: [string, JsonValue][] = [
      ['9007199254740991', 9007199254740991],
      ['9007199254740993', 9007199254740993n],
      ['-9007199254740993', -9007199254740993n],
      ['9223372036854775807', 2n ** 63n - 1n],
      ['-9223372036854775808', -(2n ** 63n)],
      ['9223372036854775808', 2 ** 63],
      ['12345678901234567890', 12345678901234567000],
      ['1e16', 1e16],
      ['9007199254740993.0', 9007199254740992],
      ['0.12345678901234570', 0.1234567890123457],
      ['1e308', 1e308],
      ['1e-400', 0],
      ['-0', -0],
    ];
    for (const [text, value] of cases) {
      assert.deepEqual(valueOf(text), value, text);
      assert.deepEqual(valueOf(`[ ${text} ,{"a": ${text}}]`), [value, { a: value }], text);
      assert.deepEqual(numberFromLiteral(text), value, text);
    }
  });

  it('reports keys that occur twice, by path; the last value wins', () => {
    const { value, duplicates } = parseJson(
      '{"a":1,"spec":{"x":1,"b":[{"c":1,"c":2}, [{"d":1,"d":1,"d":2}]],"x":2},"a":3}',
    );
    assert.deepEqual(duplicates, [
      'spec.b[0].c',
      'spec.b[1][0].d',
      'spec.b[1][0].d',
      'spec.x',
      'a',
    ]);
    assert.ok(deepEqual(value, { a: 3, spec: { x: 2, b: [{ c: 2 }, [{ d: 2 }]] } }));
    assert.deepEqual(parseJson('{"a" : 1, "\\u0061" :2}').duplicates, ['a']);
    assert.deepEqual(parseJson('{"__proto__":1,"__proto__":2}').duplicates, ['__proto__']);
    const many = `{${'"a":1,'.repeat(1000)}"a":2}`;
    assert.equal(parseJson(many).duplicates.length, MAX_REPORTED_DUPLICATES);
  });

  it('finds every duplicate, whatever else the text holds (property)', () => {
    fc.assert(
      fc.property(json, json, fc.constantFrom('a', '__proto__', '1', 'x y'), (one, two, name) => {
        const k = JSON.stringify(name);
        const text = `[{"o": ${stringifyJson(one)}, ${k} :1, "t":${stringifyJson(two)},${k}:2}]`;
        assert.deepEqual(parseJson(text).duplicates, [`[0].${name}`]);
      }),
    );
  });

  it('replaces lone surrogates, escaped or not', () => {
    assert.deepEqual(valueOf('["\\ud800","\\udc00x","a\\uD83C\\uDF89"]'), [
      '\ufffd',
      '\ufffdx',
      'a🎉',
    ]);
    assert.deepEqual(valueOf('["\ud800"]'), ['\ufffd']);
    assert.ok(deepEqual(valueOf('{"\\ud800":1}'), { '\ufffd': 1 }));
    assert.deepEqual(parseJson('{"\\ud800":1,"\\ud801":2}').duplicates, ['\ufffd']);
  });

  it('scans strings of any length and script', () => {
    for (const unit of ['a', 'é', '€', '🎉', '"', '\\', '\u0122']) {
      for (const length of [1, 1000, 90_000]) {
        const value = {
          [unit.repeat(length)]: [unit.repeat(length), { '"': ':' }],
          b: 1n * 2n ** 60n,
        };
        const text = stringifyJson(value);
        assert.ok(deepEqual(valueOf(text), value));
        assert.deepEqual(parseJson(`{"k":${text},"k":${text}}`).duplicates, ['k']);
        const last = JSON.stringify(unit.repeat(length));
        assert.deepEqual(
          (valueOf(`[${last},12345678901234567]`) as unknown[])[1],
          12345678901234567n,
        );
      }
    }
  });

  it('keeps the cause of a syntax error', () => {
    for (const text of [
      '',
      '{',
      '{"a":1,}',
      '[1,]',
      'nul',
      "{'a':1}",
      '\u{feff}{}',
      '1 2',
      'NaN',
    ]) {
      assert.throws(
        () => parseJson(text),
        (error: Error) => error.name === 'JsonSyntaxError' && error.cause instanceof SyntaxError,
        text,
      );
    }
  });
});

describe('parseStoredJson', () => {
  it('accepts the bytes of an object only', () => {
    const bytes = Buffer.from('xx{"a":12345678901234567,"b":"é"}yy').subarray(2, -2);
    assert.ok(deepEqual(parseStoredJson(bytes), { a: 12345678901234567n, b: 'é' }));
    for (const text of ['', '[]', 'null', '"a"', '{"a":']) {
      assert.throws(() => parseStoredJson(Buffer.from(text)), JsonSyntaxError, text);
    }
  });
});
