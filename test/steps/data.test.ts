import assert from 'node:assert/strict';
import type { Steps } from '../../api/steps.ts';
import type { ApiObject } from '../../api/object.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-at-once.ts';
import { mergeSchemaOf } from '../../patch/merge-schema-of.ts';
import { strategicSteps } from '../../patch/strategic.ts';
import { decodeTyped } from '../../schema/typed/decode-at-once.ts';
import { decodeTypedSteps } from '../../schema/typed/decode.ts';
import { servedVersion } from '../../resources/testing/harness.ts';
import { configMapDefinition } from '../../resources/core/config-map.ts';
import { secretDefinition } from '../../resources/core/secret.ts';

const KEYS = 20_000;
const map = (value: string): ApiObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
  data: Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`k${i}`, value])),
});

/** The result, and how often others may have had their turn before it. */
function rests<T>(steps: Steps<T>): { rests: number; value: T } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done === true) return { rests: count, value };
  }
}

describe('a ConfigMap of 20,000 keys', () => {
  const schema = servedVersion(configMapDefinition).schema();

  it('is read in steps of a thousand keys, to the same object', () => {
    const { rests: count, value } = rests(decodeTypedSteps(map('x'), schema));
    assert.ok(count >= KEYS / 1_000, `${count}`);
    assert.deepEqual(value, decodeTyped(map('x'), schema));
  });

  it('is merged strategically in such steps, to the same object', () => {
    const merging = mergeSchemaOf(schema);
    const { rests: count, value } = rests(strategicSteps(merging, map('x'), map('y')));
    assert.ok(count >= (3 * KEYS) / 1_000, `${count}`);
    assert.deepEqual(value, applyStrategicMergePatch(merging, map('x'), map('y')));
  });

  it('is judged in such steps, as a Secret is', () => {
    for (const { strategy } of [configMapDefinition, secretDefinition]) {
      const { rests: count, value } = rests(strategy.validateSteps!(map('eA=='), undefined));
      assert.ok(count >= KEYS / 1_000 - 1, `${count}`);
      assert.deepEqual(value, []);
    }
  });
});
