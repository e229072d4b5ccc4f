import assert from 'node:assert/strict';
import { API_ENVIRONMENT } from '../environments.ts';
import { DYN } from './type.ts';
import { fromJson } from './json.ts';

function costOf(expression: string, keys: number): number {
  const compiled = API_ENVIRONMENT.extend({ variables: { map: DYN } }).compile(expression);
  assert.ok(compiled.ok, compiled.ok ? '' : compiled.message);
  const map = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key${i}`, i]));
  const bindings = new Map([['map', fromJson(map)]]);
  return compiled.program.evaluate(bindings, { limit: Infinity }).cost;
}

describe('maps in expressions', () => {
  it('cost steps in proportion to their keys', () => {
    for (const expression of ['map.size()', 'map.exists(k, true)', 'map == map']) {
      assert.ok(costOf(expression, 100) < 100, expression);
      // a step is for 150 nanoseconds, and each key of such a map takes 100 to 200
      assert.ok(costOf(expression, 100_000) > 100_000, expression);
    }
  });
});
