import assert from 'node:assert/strict';
import { mergeSchema } from '../testing.ts';
import { MAX_TYPED_PROBLEMS } from './typed-check.ts';
import { typedProblems } from './typed-check-at-once.ts';

const schema = mergeSchema({
  properties: {
    names: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
});

describe('apply: what an object has wrong by its schema', () => {
  it('looks for no more problems than the bound, in lists and maps', () => {
    let looks = 0;
    const items = new Proxy(
      Array.from({ length: 3000 }, (_, i) => i),
      {
        get(target, key): unknown {
          if (typeof key === 'string' && /^\d+$/.test(key)) looks++;
          return Reflect.get(target, key);
        },
      },
    );
    const list = typedProblems(schema, { spec: { names: items } }, 'stored');
    assert.equal(list?.length, MAX_TYPED_PROBLEMS);
    assert.ok(looks <= MAX_TYPED_PROBLEMS + 1, `${looks} items were looked at`);

    const twice = Array.from({ length: 3000 }, () => 'same');
    const duplicates = typedProblems(schema, { spec: { names: twice } }, 'applied');
    assert.equal(duplicates?.length, MAX_TYPED_PROBLEMS);

    const labels = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, i]));
    const map = typedProblems(schema, { spec: { labels } }, 'applied');
    assert.equal(map?.length, MAX_TYPED_PROBLEMS);
    assert.equal(map[1]?.path, '.spec.labels.k1');
  });
});
