import assert from 'node:assert/strict';
import { FirstOfOrder } from './first-of-order.ts';
import { atOnce } from './steps.ts';

describe('the first items of an order', () => {
  it('are the same in whatever order the items come', () => {
    for (const limit of [1, 3, 50, Infinity]) {
      for (const make of [(i: number) => i, (i: number) => -i, (i: number) => (i * 7919) % 1_009]) {
        const all = Array.from({ length: 1_000 }, (_, i) => make(i));
        const first = new FirstOfOrder<number>(limit, (a, b) => a - b);
        for (let i = 0; i < all.length; i += 70) atOnce(first.add(all.slice(i, i + 70)));
        const expected = [...all].sort((a, b) => a - b).slice(0, limit);
        assert.deepEqual(atOnce(first.take()), expected);
      }
    }
  });
});
