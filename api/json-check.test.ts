import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCompactObject } from './json-check.ts';

/** What JSON.parse says of the same text. */
function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the check for bytes of a compact JSON object', () => {
  it('accepts every object that is written as JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        assert.ok(isCompactObject(Buffer.from(JSON.stringify(object))));
      }),
    );
  });

  it('refuses bytes that do not parse, with any single byte damaged', () => {
    const text = '{"a":[1,-2.5e-7,true,null,"x\\n\\u00e4"],"b":{"c":{},"d":[]},"é":"\\"\\\\"}';
    const bytes = Buffer.from(text);
    assert.ok(isCompactObject(bytes));
    for (let at = 0; at < bytes.length; at++) {
      assert.ok(!isCompactObject(bytes.subarray(0, at)), `cut at ${at}`);
      for (const byte of [...'"{}[],:\\0e-t x\n'].map((char) => char.charCodeAt(0))) {
        const damaged = Buffer.from(bytes);
        damaged[at] = byte;
        if (isCompactObject(damaged)) assert.ok(parses(damaged.toString()), damaged.toString());
      }
    }
  });

  it('finds every byte that has no place in a long string, wherever it stands', () => {
    const text = `{"a":"${'x~é'.repeat(30)}"}`;
    const bytes = Buffer.from(text);
    assert.ok(isCompactObject(bytes));
    for (let at = 6; at < bytes.length - 2; at++) {
      for (const byte of [0, 9, 10, 0x1f, 0x20, 0x22, 0x5c, 0x7f]) {
        const damaged = Buffer.from(bytes);
        damaged[at] = byte;
        assert.equal(
          isCompactObject(damaged),
          parses(damaged.toString('latin1')),
          `${byte} at ${at}`,
        );
      }
    }
    const escaped = JSON.stringify({
      a: `${'x'.repeat(50)}"${'y'.repeat(49)}\\\n${'z'.repeat(70)}`,
    });
    assert.ok(isCompactObject(Buffer.from(escaped)));
    assert.ok(!isCompactObject(Buffer.from(escaped).subarray(0, -2)));
  });

  it('refuses other values, blanks, two objects and nesting beyond the limit', () => {
    for (const text of ['[]', '1', '"a"', '{} ', ' {}', '{}{}', '{"a": 1}', '{"a":}', '{,}']) {
      assert.equal(isCompactObject(Buffer.from(text)), false, text);
    }
    assert.ok(!isCompactObject(Buffer.from('{"a":1e999}')), 'a number that no float holds');
    assert.ok(isCompactObject(Buffer.from('{"a":1e99}')));
    const deep = (depth: number): Buffer =>
      Buffer.from('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
    assert.ok(isCompactObject(deep(900)));
    assert.ok(!isCompactObject(deep(1_001)));
  });
});
