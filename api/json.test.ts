import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  deepClone,
  deepEqual,
  getOwn,
  getPath,
  hasOwn,
  isObject,
  setOwn,
  type JsonObject,
  type JsonValue,
} from './json.ts';

const key = fc.constantFrom('a', 'b', '__proto__', 'constructor', '1');
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, false, 0, 1, 2n ** 60n, '', 'x'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((entries) => {
      const object: JsonObject = {};
      for (const [k, v] of entries) setOwn(object, k, v);
      return object;
    }),
  ),
}));

describe('JSON values', () => {
  it('keep keys of the prototype as data', () => {
    const object: JsonObject = {};
    assert.equal(getOwn(object, 'constructor'), undefined);
    assert.equal(hasOwn(object, 'toString'), false);
    setOwn(object, '__proto__', 1);
    assert.equal(getOwn(object, '__proto__'), 1);
    assert.deepEqual(Object.keys(object), ['__proto__']);
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
    setOwn(object, '__proto__', 2);
    assert.equal(getOwn(object, '__proto__'), 2);
    assert.deepEqual(getPath({ a: { b: [1] } }, 'a', 'b'), [1]);
    assert.equal(getPath({ a: {} }, 'a', 'constructor'), undefined);
    assert.equal(getPath({ a: 'text' }, 'a', 'length'), undefined);
  });

  it('distinguish objects from all other values', () => {
    assert.equal(isObject({}), true);
    for (const value of [null, undefined, [], 'x', 1, 1n, true])
      assert.equal(isObject(value), false);
  });

  it('are equal whatever the order of keys and the type of a number', () => {
    assert.equal(deepEqual({ a: 1, b: [2n] }, { b: [2], a: 1n }), true);
    assert.equal(deepEqual(9007199254740993n, 9007199254740992), false);
    assert.equal(deepEqual('1', 1), false);
    assert.equal(deepEqual(null, undefined), false);
    assert.equal(deepEqual([], {}), false);
    assert.equal(deepEqual({}, []), false);
    assert.equal(deepEqual({ a: 1 }, { b: 1 }), false);
    assert.equal(deepEqual([1], [1, 2]), false);
    assert.equal(deepEqual({}, { constructor: 1 }), false);
    assert.equal(deepEqual({ toString: 1 }, { valueOf: 1 }), false);
    const own: JsonObject = {};
    setOwn(own, '__proto__', {});
    assert.equal(deepEqual(own, { a: {} }), false);
    assert.equal(deepEqual(true, 1), false);
  });

  it('are equal exactly when their canonical texts are, copies included (property)', () => {
    const text = (value: JsonValue): string => {
      if (typeof value === 'bigint') return value.toString();
      if (typeof value !== 'object' || value === null) return JSON.stringify(value);
      if (Array.isArray(value)) return `[${value.map(text).join()}]`;
      const parts = Object.keys(value).map((k) => `${JSON.stringify(k)}:${text(value[k]!)}`);
      return `{${parts.sort().join()}}`;
    };
    fc.assert(
      fc.property(json, json, (a, b) => {
        assert.equal(deepEqual(a, b), text(a) === text(b));
        assert.equal(deepEqual(a, deepClone(a)), true);
      }),
      { numRuns: 500 },
    );
  });

  it('are copied without sharing (property)', () => {
    const freeze = (value: JsonValue): void => {
      if (typeof value !== 'object' || value === null) return;
      Object.freeze(value);
      for (const item of Object.values<JsonValue>(value)) freeze(item);
    };
    const isOpen = (value: JsonValue): boolean =>
      typeof value !== 'object' ||
      value === null ||
      ((!Object.isFrozen(value) || Object.keys(value).length === 0) &&
        Object.values<JsonValue>(value).every(isOpen));
    fc.assert(
      fc.property(json, (value) => {
        freeze(value);
        assert.ok(isOpen(deepClone(value)));
      }),
    );
  });
});
