import assert from 'node:assert/strict';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { deepEqual, type JsonObject, type JsonValue } from './json.ts';
import { JsonSyntaxError } from './json-error.ts';
import { MAX_JSON_DEPTH, MAX_REQUEST_FIELDS, parseJson } from './json-parse.ts';

const valueOf = (text: string): JsonValue => parseJson(text).value;
const refuses = (text: string, message: string): void =>
  assert.throws(
    () => parseJson(text),
    (error) => error instanceof JsonSyntaxError && error.message.includes(message),
    text.slice(0, 80),
  );

describe('parseJson on hostile texts', () => {
  it('accepts nesting up to its limit and refuses deeper nesting before it recurses', () => {
    const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    valueOf(nest(MAX_JSON_DEPTH));
    valueOf(objects(MAX_JSON_DEPTH));
    valueOf(objects(MAX_JSON_DEPTH).replace('1', '12345678901234567'));
    for (const text of [nest(MAX_JSON_DEPTH + 1), objects(MAX_JSON_DEPTH + 1), '['.repeat(1e6)]) {
      refuses(text, 'exceeded max depth');
    }
  });

  it('ignores brackets inside strings', () => {
    const inside = '\\"' + '[{:'.repeat(5000) + '1'.repeat(20) + '1e999\\\\';
    assert.deepEqual(parseJson(`["${inside}"]`, { maxFields: 1 }).value, [
      JSON.parse(`"${inside}"`),
    ]);
  });

  it('bounds the number of fields when told to', () => {
    const fields = (n: number): string =>
      `{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join(',')}}`;
    const maxFields = { maxFields: 3 };
    assert.ok(deepEqual(parseJson(fields(3), maxFields).value, { k0: 1, k1: 1, k2: 1 }));
    assert.throws(() => parseJson(fields(4), maxFields), /exceeded max number of 3 fields/);
    assert.throws(() => parseJson('[[],[],[]]', maxFields), /exceeded max number/);
    assert.deepEqual(parseJson('["::::{{{{"]', maxFields).value, ['::::{{{{']);
    const hostile = [fields(1_000_000), `[${'[],'.repeat(1_000_000)}1]`];
    const start = cpuMs();
    for (const text of hostile) {
      assert.throws(() => parseJson(text, { maxFields: MAX_REQUEST_FIELDS }), JsonSyntaxError);
    }
    assert.ok(cpuMs() - start < scaled(5000));
  });

  it('takes linear time on hostile texts', () => {
    const n = 1_000_000;
    const texts = [
      '\\',
      '\\"',
      '"',
      ' ',
      '1',
      '1 ',
      '[',
      '{"a":',
      '"a":',
      ',',
      '1e',
      '\\ud800',
    ].flatMap((unit) => [
      unit.repeat(n),
      `["${unit.repeat(n)}`,
      `[12345678901234567,"${unit.repeat(n)}"]`,
    ]);
    const start = cpuMs();
    for (const text of texts) {
      try {
        parseJson(text);
      } catch (error) {
        assert.ok(error instanceof JsonSyntaxError);
      }
    }
    assert.ok(cpuMs() - start < scaled(15_000));
  });

  it('refuses numbers beyond the range of a float', () => {
    for (const text of ['1e309', '-1e309', '1E+400', '{"a":[1e999]}', '9'.repeat(400)]) {
      refuses(text, 'out of range');
    }
    assert.equal(valueOf('"1e309"'), '1e309');
  });

  it('treats __proto__ as an ordinary key', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1},"n":12345678901234567}']) {
      const value = valueOf(text) as JsonObject;
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
      assert.ok(Object.hasOwn(value, '__proto__'));
      assert.equal((value as { x?: unknown }).x, undefined);
    }
  });
});
