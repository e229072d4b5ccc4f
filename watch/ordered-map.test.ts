import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OrderedMap, prefixEnd } from './ordered-map.ts';

const key = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', '/', 'z') });
const operation = fc.oneof(
  fc.record({ op: fc.constant('set' as const), key, value: fc.nat() }),
  fc.record({ op: fc.constant('delete' as const), key }),
  fc.record({ op: fc.constant('snapshot' as const) }),
);

function sortedEntries(model: Map<string, number>): [string, number][] {
  return [...model].sort(([a], [b]) => (a < b ? -1 : 1));
}

function inParts(values: readonly number[], size: number): number[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, i) => values.slice(i * size, (i + 1) * size));
}

describe('OrderedMap', () => {
  it('agrees with a sorted Map under any operations, and so does every snapshot taken on the way', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), key, key, (operations, from, to) => {
        const map = new OrderedMap<number>();
        const model = new Map<string, number>();
        const snapshots: [OrderedMap<number>, [string, number][]][] = [];
        for (const o of operations) {
          if (o.op === 'set') {
            assert.equal(map.set(o.key, o.value), model.get(o.key));
            model.set(o.key, o.value);
          } else if (o.op === 'delete') {
            assert.equal(map.delete(o.key), model.get(o.key));
            model.delete(o.key);
          } else snapshots.push([map.snapshot(), sortedEntries(model)]);
        }
        snapshots.push([map, sortedEntries(model)]);
        for (const [taken, entries] of snapshots) {
          const inRange = entries.filter(([k]) => k >= from && k < to).map(([, v]) => v);
          assert.deepEqual(
            [...taken.range('')],
            entries.map(([, v]) => v),
          );
          assert.deepEqual([...taken.range(from, to)], inRange);
          for (const size of [1, 3, 1000]) {
            assert.deepEqual([...taken.parts(from, to, size)], inParts(inRange, size));
          }
          assert.equal(taken.count(from, to), inRange.length);
          assert.equal(taken.size, entries.length);
          for (const [k, v] of entries) assert.equal(taken.get(k), v);
        }
      }),
    );
  });

  for (const [order, step] of Object.entries({ 'in any order': 7919, 'in their order': 1 })) {
    it(`stays correct over many leaves of keys that came ${order}, and a changed snapshot does not change its origin`, () => {
      overManyLeaves(step);
    });
  }

  function overManyLeaves(step: number): void {
    const map = new OrderedMap<number>();
    const keys = Array.from({ length: 20_000 }, (_, i) => {
      return `k${String((i * step) % 20_000).padStart(5, '0')}`;
    });
    for (const [i, k] of keys.entries()) map.set(k, i);
    assert.deepEqual(
      [...map.range('')].map((i) => keys[i]),
      keys.toSorted(),
    );
    for (const size of [1, 256, 500]) {
      assert.deepEqual([...map.parts('', undefined, size)], inParts([...map.range('')], size));
      const [from = '', to = ''] = [keys.toSorted()[255], keys.toSorted()[19_000]];
      const some = [...map.range(from, to)];
      assert.deepEqual([...map.parts(from, to, size)], inParts(some, size));
    }
    const copy = map.snapshot();
    for (const k of keys.slice(0, 10_000)) copy.delete(k);
    assert.equal(map.size, 20_000);
    assert.equal(copy.size, 10_000);
    assert.equal([...map.range('')].length, 20_000);
    assert.deepEqual(
      new Set([...copy.range('')]),
      new Set(keys.slice(10_000).map((_, i) => i + 10_000)),
    );
  }

  it('finds each key of a snapshot while the map gains and loses leaves', () => {
    const key = (i: number): string => `k${String(i).padStart(5, '0')}`;
    const map = new OrderedMap<number>();
    for (let i = 0; i < 10_000; i += 2) map.set(key(i), i);
    const taken = map.snapshot();
    for (let i = 1; i < 10_000; i += 2) map.set(key(i), i);
    const later = map.snapshot();
    for (let i = 2_000; i < 8_000; i++) map.delete(key(i));
    for (let i = 0; i < 10_000; i++) {
      assert.equal(taken.get(key(i)), i % 2 === 0 ? i : undefined);
      assert.equal(later.get(key(i)), i);
      assert.equal(map.get(key(i)), i < 2_000 || i >= 8_000 ? i : undefined);
    }
    assert.equal(taken.count(key(5_000)), 2_500);
    assert.equal(later.count(key(5_000)), 5_000);
    assert.equal(map.count(key(5_000)), 2_000);
  });

  it('prefixEnd bounds exactly the keys with the prefix', () => {
    fc.assert(
      fc.property(key, key, (prefix, k) => {
        const end = prefixEnd(prefix);
        assert.equal(k >= prefix && (end === undefined || k < end), k.startsWith(prefix));
      }),
    );
  });
});
