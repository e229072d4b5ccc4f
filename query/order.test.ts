import assert from 'node:assert/strict';
import { comparison, parseOrder } from './order.ts';
import { sortValue } from './sort-value.ts';
import type { ValueKind } from './resolve-path.ts';

function sorted(kind: ValueKind, values: any[], direction = ''): unknown[] {
  const parsed = parseOrder(`a${direction}`);
  assert.ok('items' in parsed);
  const items = values.map((value, i) => ({
    value,
    values: [sortValue(value, kind)],
    key: String(i),
  }));
  return items.sort(comparison(parsed.items)).map(({ value }) => value);
}

describe('an order', () => {
  it('compares numbers, times, quantities, texts and booleans each by their own order', () => {
    assert.deepEqual(sorted('number', [10, 9, 2.5, -1, 9007199254740993n]), [
      -1,
      2.5,
      9,
      10,
      9007199254740993n,
    ]);
    assert.deepEqual(sorted('quantity', ['1Gi', '900Mi', '100m', 1, '1G']), [
      '100m',
      1,
      '900Mi',
      '1G',
      '1Gi',
    ]);
    const times = [
      '2024-01-01T00:00:01Z',
      '2024-01-01T00:00:00.000002Z',
      '2024-01-01T01:00:00+02:00',
    ];
    assert.deepEqual(sorted('time', times), [times[2], times[1], times[0]]);
    const close = [
      '2115-12-31T23:59:59.999999999Z',
      '2116-01-01T00:00:00Z',
      '2116-01-01T00:00:00.000000001Z',
      '9999-01-01T00:00:00Z',
    ];
    assert.deepEqual(sorted('time', close.toReversed()), close);
    assert.deepEqual(sorted('time', ['2024-01-01T00:00:00.000000001Z', '2024-01-01T00:00:00Z']), [
      '2024-01-01T00:00:00Z',
      '2024-01-01T00:00:00.000000001Z',
    ]);
    assert.deepEqual(sorted('text', ['b', '10', '9', 'B']), ['10', '9', 'B', 'b']);
    assert.deepEqual(sorted('boolean', [true, false]), [false, true]);
  });

  it('puts what is absent last in both directions, and texts behind amounts', () => {
    assert.deepEqual(sorted('number', [2, undefined, 1, {}]), [1, 2, undefined, {}]);
    assert.deepEqual(sorted('number', [2, undefined, 1, null], ':desc'), [2, 1, undefined, null]);
    assert.deepEqual(sorted('quantity', ['x', '2Ki', 5]), [5, '2Ki', 'x']);
    assert.deepEqual(sorted('any', ['x', 5, true]), [5, 'x', true]);
  });

  it('of equals is that of namespace and name', () => {
    const compare = comparison([]);
    const at = (namespace: string, name: string): any => ({
      values: [],
      key: `${namespace}/${name}`,
    });
    assert.ok(compare(at('a', 'x'), at('a-b', 'a')) < 0);
    assert.ok(compare(at('a', 'x'), at('a', 'a')) > 0);
  });

  it('has three keys at most', () => {
    assert.ok('items' in parseOrder('a:desc,b.c[?t=x].d:asc,e'));
    assert.match((parseOrder('a,b,c,d') as any).error, /at most 3 keys/);
    for (const text of ['a:down', 'a,', ':desc', 'a b'])
      assert.ok('error' in parseOrder(text), text);
  });
});
