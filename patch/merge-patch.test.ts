import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson } from '../api/json-parse.ts';
import { deepClone, deepEqual, hasOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { applyMergePatch } from './merge-patch-at-once.ts';

/** RFC 7386, appendix A: original, patch, result. */
const RFC_CASES: [string, string, string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

const json = (text: string): JsonValue => parseJson(text).value;

describe('merge patch', () => {
  for (const [original, patch, result] of RFC_CASES) {
    it(`RFC 7386: ${original} with ${patch} is ${result}`, () => {
      assert.ok(deepEqual(applyMergePatch(json(original), json(patch)), json(result)));
    });
  }

  it('treats __proto__, constructor and prototype as keys like any other', () => {
    const target = json('{"labels":{"constructor":"a","__proto__":{"x":1},"keep":"k"}}');
    const patch = json('{"labels":{"constructor":"b","__proto__":{"y":2},"prototype":"p"}}');
    const labels = (applyMergePatch(target, patch) as JsonObject)['labels'] as JsonObject;
    assert.deepEqual(Object.keys(labels).sort(), ['__proto__', 'constructor', 'keep', 'prototype']);
    assert.equal(labels['constructor'], 'b');
    assert.equal(
      JSON.stringify(Object.getOwnPropertyDescriptor(labels, '__proto__')?.value),
      '{"x":1,"y":2}',
    );
    assert.equal(Object.getPrototypeOf(labels), Object.prototype);
    assert.equal(hasOwn({}, 'x'), false);
  });

  it('removes an inherited name only when it is an own key', () => {
    assert.deepEqual(applyMergePatch({ a: 1 }, json('{"toString":null}')), { a: 1 });
  });

  it('drops the nulls of objects inside of lists, as kube-apiserver does', () => {
    const result = applyMergePatch({}, json('{"ports":[{"name":"a","port":null},null]}'));
    assert.deepEqual(result, { ports: [{ name: 'a' }, null] });
  });

  it('keeps 64-bit integers exact', () => {
    const result = applyMergePatch(
      json('{"a":9223372036854775807}'),
      json('{"b":-9223372036854775808}'),
    );
    assert.deepEqual(result, { a: 9223372036854775807n, b: -9223372036854775808n });
  });

  const value = fc.jsonValue({ depthSize: 'small' }) as fc.Arbitrary<JsonValue>;

  it('changes neither input and shares nothing with them', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        const [targetCopy, patchCopy] = [deepClone(target), deepClone(patch)];
        const result = applyMergePatch(target, patch);
        const shared = containers(result).filter(
          (c) => containers(target).includes(c) || containers(patch).includes(c),
        );
        assert.deepEqual(shared, []);
        assert.deepEqual([target, patch], [targetCopy, patchCopy]);
      }),
    );
  });

  it('has no more effect the second time', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        const once = applyMergePatch(target, patch);
        assert.ok(deepEqual(applyMergePatch(once, patch), once));
      }),
    );
  });
});

function containers(value: JsonValue): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}
