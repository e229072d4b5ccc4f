import assert from 'node:assert/strict';
import { parseJson } from '../api/json-parse.ts';
import { parseJsonPatch } from './json-patch-parse.ts';
import { applyJsonPatch } from './json-patch.ts';

describe('JSON patch: parsing', () => {
  const refusal = (text: string): number | undefined => {
    const parsed = parseJsonPatch(text);
    return parsed.ok ? undefined : parsed.error.code;
  };

  for (const text of [
    '',
    '[{',
    '{}',
    '"x"',
    '7',
    '["replace"]',
    '[null]',
    '[{}]',
    '[{"op":"jump","path":"/a"}]',
    '[{"op":"add","path":"/a"}]',
    '[{"op":"remove"}]',
    '[{"op":"remove","path":7}]',
    '[{"op":"move","path":"/a"}]',
    '[{"op":"copy","from":null,"path":"/a"}]',
  ]) {
    it(`answers 400 to ${JSON.stringify(text)}`, () => assert.equal(refusal(text), 400));
  }

  it('takes null and the empty list as patches that change nothing', () => {
    for (const text of ['null', '[]']) {
      const parsed = parseJsonPatch(text);
      assert.ok(parsed.ok);
      assert.deepEqual(parsed.operations, []);
    }
  });

  it('answers 413 to more than 10,000 operations, but looks at each of them first', () => {
    const operation = '{"op":"test","path":"/a","value":1}';
    const many = (n: number, item: string): string =>
      `[${Array.from({ length: n }, () => item).join(',')}]`;
    assert.equal(refusal(many(10_000, operation)), undefined);
    assert.equal(refusal(many(10_001, operation)), 413);
    assert.equal(refusal(many(10_001, '{}')), 400);
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
