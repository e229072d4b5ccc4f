import assert from 'node:assert/strict';
import { needleTest } from './needle-test.ts';
import { parseValuePath } from './value-path.ts';

function test(operator: any, ...values: string[]): ((text: string) => boolean) | undefined {
  const parsed = parseValuePath('a');
  assert.ok('path' in parsed);
  const found = needleTest({ path: parsed.path, operator, values });
  return found && ((text) => found(Buffer.from(text)));
}

describe('a look at the bytes of an object', () => {
  it('skips parsing objects that contain none of the values', () => {
    const one = test('=', 'x.y/z:1');
    assert.ok(one?.('{"a":"x.y/z:1"}'));
    assert.ok(!one?.('{"a":"x.y"}'));
    const some = test('in', 'true', 'b');
    assert.ok(some?.('{"a":true}') && some('{"b":1}') && !some('{"a":1}'));
  });

  it('tells nothing of conditions that absent, escaped or numeric values may meet', () => {
    for (const [operator, ...values] of [
      ['=', ''],
      ['=', '<'],
      ['=', '"'],
      ['=', 'é'],
      ['=', '100'],
      ['in', 'a', ''],
      ['in', 'a', 'b', 'c', 'd', 'e'],
      ['!=', 'a'],
      ['notin', 'a'],
      ['exists'],
      ['!'],
    ] as const) {
      assert.equal(test(operator, ...values), undefined, operator);
    }
  });
});
