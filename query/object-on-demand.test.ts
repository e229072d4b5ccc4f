import assert from 'node:assert/strict';
import type { JsonObject } from '../api/json.ts';
import { CelMap } from '../cel/value/value.ts';
import { objectOnDemand } from './object-on-demand.ts';

const KEYS = 5_000;

describe('an object that is read on demand', () => {
  function read(keys: readonly string[]): { values: unknown[]; parsed: number } {
    const object: JsonObject = {
      data: Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`k${i}`, `v${i}`])),
    };
    let parsed = 0;
    const map = objectOnDemand({
      ...{ bytes: Buffer.from(JSON.stringify(object)), metadataEnd: 0, schema: undefined },
      whole() {
        parsed++;
        return object;
      },
    });
    const values = keys.map((key) => {
      // as an expression does, which begins at the object each time
      const data = map.get('data');
      assert.ok(data instanceof CelMap);
      return data.get(key);
    });
    return { values, parsed };
  }

  it('is not parsed for a few fields', () => {
    assert.deepEqual(read(['k1', `k${KEYS - 1}`, 'k9']), {
      values: ['v1', `v${KEYS - 1}`, 'v9'],
      parsed: 0,
    });
  });

  it('is parsed once when each key of a large map is asked for, and not scanned for each', () => {
    const keys = Array.from({ length: KEYS }, (_, i) => `k${i}`);
    assert.deepEqual(read([...keys, 'none']), {
      values: [...keys.map((key) => key.replace('k', 'v')), undefined],
      parsed: 1,
    });
  });
});
