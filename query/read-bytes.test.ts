import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonValue } from '../api/json.ts';
import { bytesReader, UNKNOWN } from './read-bytes.ts';
import { valueAt } from './read-path.ts';
import { parseValuePath } from './value-path.ts';

function pathOf(text: string): Parameters<typeof bytesReader>[0] {
  const parsed = parseValuePath(text);
  if ('error' in parsed) assert.fail(parsed.error);
  return parsed.path;
}

const leaf = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', '\\', '}', ',', 'ü', 'a') }),
  fc.string({ minLength: 60, maxLength: 140, unit: fc.constantFrom('\\', '"', 'x') }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'a"b', 'ä'), tie('tree'), { maxKeys: 4 }),
  ),
})) as { tree: fc.Arbitrary<JsonValue> };
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'a"b'), tree, { maxKeys: 4 });

describe('single values of bytes', () => {
  it('are those of the object that is read whole (property)', () => {
    let known = 0;
    fc.assert(
      fc.property(object, fc.constantFrom('a', 'b.c', 'a.b', 'c.a.b'), (value, text) => {
        const path = pathOf(text);
        const read = bytesReader(path)?.(Buffer.from(JSON.stringify(value)));
        if (read === UNKNOWN) return;
        known++;
        const whole = valueAt(value, path);
        const single = typeof whole === 'object' ? undefined : whole;
        // JSON has no negative zero
        assert.equal(read, single === 0 ? 0 : single);
      }),
      { numRuns: 5_000 },
    );
    assert.ok(known > 4_000, `${known} could be told`);
  });

  it('cannot be told of blanks, and not of items of lists', () => {
    const read = bytesReader(pathOf('a.b'));
    assert.ok(read);
    assert.equal(read(Buffer.from('{ "a":{"b":1}}')), UNKNOWN);
    assert.equal(read(Buffer.from('{"a":{"b" :1}}')), UNKNOWN);
    assert.equal(read(Buffer.from('[]')), UNKNOWN);
    assert.equal(read(Buffer.from('{"a":{"b":12345678901234567890}}')), UNKNOWN);
    assert.equal(bytesReader(pathOf('a[0]')), undefined);
    assert.equal(bytesReader(pathOf('["a.b"]')), undefined);
  });
});
