import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepEqual, setOwn, type JsonObject, type JsonValue } from './json.ts';
import { parseJson } from './json-parse.ts';
import { canonicalJson, stringifyJson } from './json-write.ts';

const key = fc.constantFrom(
  'apiVersion',
  'kind',
  'metadata',
  'a',
  'B',
  'é',
  '10',
  '9',
  '__proto__',
  'spec',
);
const scalar = fc.constantFrom<JsonValue>(null, true, 0, -1.5, 2n ** 62n, '', 'x"\\\n', '🎉');
const objectOf = (entries: [string, JsonValue][]): JsonObject => {
  const object: JsonObject = {};
  for (const [k, v] of entries) setOwn(object, k, v);
  return object;
};
const { object } = fc.letrec<{ json: JsonValue; object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(key, tie('json')), { maxLength: 5 }).map(objectOf),
}));

/** The same value with the keys of every object in another order. */
function reversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return objectOf(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, reversed(v)]),
  );
}

describe('canonicalJson', () => {
  it('puts apiVersion, kind and metadata first and sorts everything else', () => {
    const value: JsonObject = {
      spec: { b: 1, a: [{ d: 1, c: 2 }] },
      metadata: { namespace: 'ns', name: 'a' },
      kind: 'K',
      data: {},
      apiVersion: 'v1',
    };
    const before = JSON.stringify(value);
    assert.equal(
      canonicalJson(value),
      '{"apiVersion":"v1","kind":"K","metadata":{"name":"a","namespace":"ns"},"data":{},"spec":{"a":[{"c":2,"d":1}],"b":1}}',
    );
    assert.equal(JSON.stringify(value), before);
    assert.equal(canonicalJson({}), '{}');
  });

  it('is the same for equal objects, whatever the order of their keys (property)', () => {
    fc.assert(
      fc.property(object, (value) => {
        const other = reversed(value) as JsonObject;
        assert.equal(canonicalJson(other), canonicalJson(value));
        assert.ok(deepEqual(other, value));
      }),
      { numRuns: 500 },
    );
  });

  it('differs for different objects (property)', () => {
    fc.assert(
      fc.property(object, object, (a, b) => {
        assert.equal(canonicalJson(a) === canonicalJson(b), deepEqual(a, b));
      }),
    );
  });

  it('reads back as the same object, and is stable (property)', () => {
    fc.assert(
      fc.property(object, (value) => {
        const text = canonicalJson(value);
        const again = parseJson(text).value as JsonObject;
        assert.ok(deepEqual(again, value));
        assert.equal(canonicalJson(again), text);
      }),
      { numRuns: 500 },
    );
  });

  it('does not modify its input (property)', () => {
    fc.assert(
      fc.property(object, (value) => {
        const before = stringifyJson(value);
        canonicalJson(value);
        assert.equal(stringifyJson(value), before);
      }),
    );
  });
});

describe('stringifyJson', () => {
  it('writes as JSON.stringify does, and bigints as integers', () => {
    const value: JsonValue = { a: [1, 'x', null, {}, []], b: { c: true } };
    for (const indent of [undefined, 0, 1, 2, 4]) {
      const expected: string = JSON.stringify(value, undefined, indent);
      assert.equal(stringifyJson(value, indent), expected);
      // one bigint anywhere sends the whole value the exact way
      const exact: string = stringifyJson({ ...value, n: 1n }, indent);
      assert.equal(exact, JSON.stringify({ ...value, n: 1 }, undefined, indent));
    }
    assert.equal(stringifyJson(2n ** 63n - 1n), '9223372036854775807');
    assert.equal(stringifyJson({ a: [-(2n ** 63n)] }), '{"a":[-9223372036854775808]}');
  });

  it('writes keys of the prototype like any other', () => {
    const value = parseJson('{"__proto__":1,"toJSON":2,"n":9223372036854775807}').value;
    assert.equal(stringifyJson(value), '{"__proto__":1,"toJSON":2,"n":9223372036854775807}');
  });

  it('reads back with any indent (property)', () => {
    fc.assert(
      fc.property(object, fc.nat(4), (value, indent) => {
        assert.ok(deepEqual(parseJson(stringifyJson(value, indent)).value, value));
      }),
    );
  });
});
