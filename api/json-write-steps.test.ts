import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from './json.ts';
import { canonicalJson, stringifyJson } from './json-write.ts';
import { canonicalSteps, jsonSteps, stringifyLargeJson } from './json-write-steps.ts';
import { atOnce } from './steps.ts';

describe('canonical JSON in steps', () => {
  it('is the same as at once', () => {
    const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    fc.assert(
      fc.property(objects, (value) => {
        const object = { ...value, kind: 'A', metadata: { name: 'a' } } as JsonObject;
        assert.equal(atOnce(canonicalSteps(object)).toString(), canonicalJson(object));
      }),
    );
    const exact = { b: [1n, { z: 18446744073709551615n }], a: {}, c: [], '\ud800': '\ud800' };
    assert.equal(atOnce(canonicalSteps(exact)).toString(), canonicalJson(exact));
  });

  it('is the same for an object of many pieces, and pauses within it', () => {
    const keys = Array.from({ length: 5_000 }, (_, i) => [`é${(i * 7919) % 5_000}`, `ü${i}`]);
    const object = { spec: Object.fromEntries(keys) as JsonObject };
    assert.equal(atOnce(canonicalSteps(object)).toString(), canonicalJson(object));
    let steps = 0;
    for (const work = canonicalSteps(object); work.next().done !== true;) steps++;
    assert.ok(steps >= 4, String(steps));
  });
});

describe('JSON in steps', () => {
  it('is the same as at once, with keys in their own order', async () => {
    const exact = { b: [1n, { z: -18446744073709551615n }], a: {}, c: [], '\ud800': '\ud800é' };
    assert.equal(atOnce(jsonSteps(exact)).toString(), stringifyJson(exact));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = stringifyJson(value as JsonObject);
        assert.equal(atOnce(jsonSteps(value as JsonObject)).toString(), text);
        assert.equal(await stringifyLargeJson(value as JsonObject), text);
      }),
    );
  });

  it('is written in turns when it is large by its members, its keys or its texts', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`z${-i}`, [i]]));
    const long = 'é\n'.repeat(50_000);
    for (const value of [many, [many], { a: long }, { [long]: 1 }]) {
      let hasPaused = false;
      setImmediate(() => (hasPaused = true));
      assert.equal(await stringifyLargeJson(value), stringifyJson(value));
      assert.ok(hasPaused);
    }
  });
});
