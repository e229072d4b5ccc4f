import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atOnce } from '../api/steps.ts';
import { indentSteps } from './indent.ts';

describe('JSON with indentation', () => {
  const indented = (text: string, level?: number): string =>
    atOnce(indentSteps(Buffer.from(text), level)).toString();

  it('is what JSON.stringify makes of the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(indented(JSON.stringify(value)), `${JSON.stringify(value, null, 2)}\n`);
      }),
    );
    const object = { a: 'x"{},:[]\\', 'é\n': [[], {}, [1, { b: null }]] };
    assert.equal(indented(JSON.stringify(object)), `${JSON.stringify(object, null, 2)}\n`);
  });

  it('begins at the level at which an item stands in a list', () => {
    assert.equal(indented('{"a":[1]}', 2), '{\n      "a": [\n        1\n      ]\n    }');
  });

  it('keeps the digits of integers', () => {
    assert.equal(indented('{"n":18446744073709551615}'), '{\n  "n": 18446744073709551615\n}\n');
  });
});
