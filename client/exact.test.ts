import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactText, parseExact } from './exact.ts';

const BIG = 9_007_199_254_740_993n;

describe('JSON with exact integers', () => {
  it('reads an integer that a number cannot hold as a bigint, and others as numbers', () => {
    const text = `{"big": ${BIG}, "low":-${BIG}, "list":[${BIG},1], "safe": 9007199254740991}`;
    assert.deepEqual(parseExact(text), {
      ...{ big: BIG, low: -BIG, list: [BIG, 1], safe: 9_007_199_254_740_991 },
    });
    assert.equal(parseExact('18446744073709551615'), 18_446_744_073_709_551_615n);
  });

  it('leaves strings, keys and fractions as they are', () => {
    const text = String.raw`{"a":"${BIG}","b\"\\":"\\\", ${BIG}","${BIG}":[1234567890123456.5,
      0.12345678901234567,1e30,12345678901234567e3,123456789012345678901234, ${BIG}]}`;
    const { [String(BIG)]: numbers, ...rest } = parseExact(text) as Record<string, unknown>;
    const { [String(BIG)]: rounded, ...same } = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(rest, same);
    assert.deepEqual(numbers, [...(rounded as number[]).slice(0, -1), BIG]);
  });

  it('refuses what is not JSON', () => {
    for (const text of ['', `{"a":${BIG}`, `"${BIG}`, `[0${BIG}]`, `{${BIG}:1}`])
      assert.throws(() => parseExact(text), SyntaxError, text);
  });

  it('writes what it reads', () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
    const inexact = integer.filter((each) => !Number.isSafeInteger(Number(each)));
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.oneof(inexact, fc.json().map(String), fc.double({ noNaN: true }), fc.boolean()),
      tree: fc.oneof(
        ...[tie('leaf'), fc.array(tie('tree'))],
        fc.dictionary(fc.string(), tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const text = exactText(value);
        assert.equal(exactText(parseExact(text)), text);
      }),
    );
    assert.equal(
      exactText({ size: BIG, text: `"${BIG}"` }),
      `{"size":${BIG},"text":"\\"${BIG}\\""}`,
    );
  });
});
