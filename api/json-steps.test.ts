import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepEqual, type JsonObject, type JsonValue } from './json.ts';
import { cloneSteps, equalSteps, shallowSteps } from './json-steps.ts';
import { atOnce, type Steps } from './steps.ts';

describe('work on JSON in steps', () => {
  const large = (value: JsonValue): JsonObject => ({
    a: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, value])),
  });

  it('makes deep copies that share nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const value = { value: json as JsonValue };
        const copy = atOnce(cloneSteps(value));
        assert.deepEqual(copy, value);
        if (typeof json === 'object' && json !== null) assert.notEqual(copy.value, value.value);
      }),
    );
  });

  it('copies one object with keys of any name', () => {
    const object: JsonObject = { a: { b: 1 }, ['__proto__']: 2 };
    const copy = atOnce(shallowSteps(object));
    assert.deepEqual(copy, object);
    assert.equal(copy['a'], object['a']);
  });

  it('agrees with deepEqual on equality', () => {
    const values = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [left, right] = [a as JsonValue, b as JsonValue];
        assert.equal(atOnce(equalSteps(left, right)), deepEqual(left, right));
        assert.ok(atOnce(equalSteps(left, structuredClone(left))));
      }),
    );
    assert.ok(atOnce(equalSteps({ a: [1n] }, { a: [1] })));
    assert.ok(!atOnce(equalSteps({ a: 1, b: 2 }, { a: 1, c: 2 })));
    assert.ok(!atOnce(equalSteps([1], [1, 2])));
  });

  it('pauses within a large map', () => {
    const count = (work: Steps<unknown>): number => {
      let steps = 0;
      while (work.next().done !== true) steps++;
      return steps;
    };
    assert.ok(count(cloneSteps(large('1'))) >= 4);
    assert.ok(count(equalSteps(large('1'), large('1'))) >= 4);
    assert.ok(count(shallowSteps(large('1')['a'] as JsonObject)) >= 4);
  });
});
