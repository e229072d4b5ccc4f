import assert from 'node:assert/strict';
import { parseJson } from '../api/json-parse.ts';
import { parseJsonPatch } from './json-patch-parse.ts';
import { applyJsonPatch } from './json-patch-at-once.ts';

describe('JSON patch: parsing', () => {
  const refusal = (text: string): number | undefined => {
    const parsed = parseJsonPatch(text);
    return parsed.ok ? undefined : parsed.error.code;
  };

  for (const text of ['', '[{', '{}', '"x"', '7', '["replace"]', '[7]']) {
    it(`answers 400 to anything but a list of objects: ${JSON.stringify(text)}`, () =>
      assert.equal(refusal(text), 400));
  }

  for (const text of [
    '[null]',
    '[{}]',
    '[{"op":"jump","path":"/a"}]',
    '[{"op":"add","path":7,"value":1}]',
    '[{"op":"remove"}]',
    '[{"op":"remove","path":7}]',
    '[{"op":"move","path":"/a"}]',
    '[{"op":"copy","from":null,"path":"/a"}]',
  ]) {
    it(`answers 422 to an operation that is none: ${text}`, () => assert.equal(refusal(text), 422));
  }

  it('shows the operation that cannot be carried out, and why', () => {
    const parsed = parseJsonPatch('[{"op":"test","path":""},{"op":"jump","path":"/a"}]');
    assert.ok(!parsed.ok);
    assert.equal(
      parsed.error.message,
      'the server rejected our request due to an error in our request: operation [1] {"op":"jump","path":"/a"}: "op" must be one of add, remove, replace, move, copy, test',
    );
  });

  it('reads what is added or replaced without a value as null', () => {
    const parsed = parseJsonPatch('[{"op":"add","path":"/a"}]', { forgiving: true });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.operations, [{ op: 'add', path: '/a', value: null }]);
  });

  it('takes null and the empty list as patches that change nothing', () => {
    for (const text of ['null', '[]']) {
      const parsed = parseJsonPatch(text);
      assert.ok(parsed.ok);
      assert.deepEqual(parsed.operations, []);
    }
  });

  it('answers 413 to more than 10,000 operations before it looks at any of them', () => {
    const operation = '{"op":"test","path":"/a","value":1}';
    const many = (n: number, item: string): string =>
      `[${Array.from({ length: n }, () => item).join(',')}]`;
    assert.equal(refusal(many(10_000, operation)), undefined);
    assert.equal(refusal(many(10_001, operation)), 413);
    assert.equal(refusal(many(10_001, '{}')), 413);
    assert.equal(refusal(many(10_001, '7')), 413);
    assert.equal(refusal(many(100_000, operation)), 413);
  });

  it('reports members that are unknown or given twice', () => {
    const parsed = parseJsonPatch('[{"op":"add","path":"/a","value":1,"value":2,"comment":"x"}]');
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.strictProblems, [
      'json patch duplicate field "[0].value"',
      'json patch unknown field "[0].comment"',
    ]);
    assert.deepEqual(parsed.operations, [{ op: 'add', path: '/a', value: 2 }]);
  });
});

it('JSON patch reads documents without losing digits', () => {
  assert.deepEqual(
    applyJsonPatch(parseJson('{"a":9223372036854775807}').value, [
      { op: 'copy', from: '/a', path: '/b' },
    ]),
    {
      ok: true,
      value: { a: 9223372036854775807n, b: 9223372036854775807n },
    },
  );
});
