import assert from 'node:assert/strict';
import { canonicalJson } from '../api/json-write.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import { GroupCounts } from './group-counts.ts';
import { parsePaths, Projector } from './projection.ts';

const OBJECT = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7', labels: { x: 'y' } },
  spec: { replicas: 3, deep: { one: 1, two: 2 }, ports: [80, 443] },
  status: {
    conditions: [
      { type: 'Old', status: 'False', reason: 'a' },
      { type: 'Ready', status: 'True', reason: 'b' },
    ],
  },
};
const { labels: _, ...IDENTITY } = OBJECT.metadata;

function shown(text: string): any {
  const parsed = parsePaths(text);
  assert.ok('items' in parsed, JSON.stringify(parsed));
  const projector = new Projector(parsed.items);
  const { apiVersion, kind, metadata, ...rest } = projector.of(OBJECT) as any;
  const bytes = Buffer.from(canonicalJson(OBJECT));
  assert.deepEqual(JSON.parse(projector.ofBytes(bytes).toString()), projector.of(OBJECT));
  assert.deepEqual([apiVersion, kind], ['v1', 'Thing']);
  const { labels, ...identity } = metadata;
  assert.deepEqual(identity, IDENTITY, 'identity and resourceVersion stay');
  return labels === undefined ? rest : { ...rest, labels };
}

describe('a projection', () => {
  it('shows the fields that are asked for, and the identity', () => {
    assert.deepEqual(shown('spec.replicas'), { spec: { replicas: 3 } });
    assert.deepEqual(shown('metadata.labels,spec.deep'), {
      labels: { x: 'y' },
      spec: { deep: { one: 1, two: 2 } },
    });
    assert.deepEqual(shown('spec.deep.two,spec.deep.one'), { spec: { deep: { one: 1, two: 2 } } });
    assert.deepEqual(shown('spec.nothing,absent.x'), { spec: {} });
    assert.deepEqual(shown('spec,spec.deep.one').spec, OBJECT.spec);
  });

  it('shows items of lists, with the field that names them', () => {
    assert.deepEqual(shown('status.conditions[?type=Ready].status'), {
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    assert.deepEqual(shown('status.conditions[1].reason,status.conditions[?type=Ready].status'), {
      status: { conditions: [{ reason: 'b', type: 'Ready', status: 'True' }] },
    });
    assert.deepEqual(shown('spec.ports[1]'), { spec: { ports: [443] } });
    assert.deepEqual(shown('status.conditions[?type=None]'), { status: { conditions: [] } });
  });

  it('of bytes is cut out of them, whatever keys and texts hold', () => {
    const odd = { 'a"b': 1, ä: [{ t: 'x', v: '}' }], plain: { deep: '\\"{[', n: null }, x: 2n };
    const object = { ...OBJECT, odd };
    const bytes = Buffer.from(canonicalJson(object));
    for (const text of [
      'odd["a\\"b"]',
      'odd["ä"][?t=x].v',
      'odd.plain.deep,odd.plain.n',
      'odd.plain.n.none',
      'odd.x,odd.y',
      'odd[0]',
      'metadata',
      'odd.ä[0].t,spec.ports[1],spec.ports[0]',
    ]) {
      const parsed = parsePaths(text);
      assert.ok('items' in parsed, JSON.stringify(parsed));
      const projector = new Projector(parsed.items);
      const whole = canonicalJson(projector.of(parseStoredJson(bytes)));
      assert.equal(projector.ofBytes(bytes).toString(), whole, text);
      const spaced = Buffer.concat([Buffer.from(' '), bytes]);
      assert.equal(projector.ofBytes(spaced).toString(), whole, text);
    }
  });

  it('has a bounded number of paths', () => {
    const many = Array.from({ length: 65 }, (_, i) => `a${i}`).join(',');
    assert.match((parsePaths(many) as any).error, /at most 64 paths/);
    assert.match((parsePaths('a,,b') as any).error, /character 3/);
  });
});

describe('numbers by value', () => {
  it('come by size, absent values as null, and beyond a thousand values together', () => {
    const counts = new GroupCounts();
    for (const value of ['a', 'b', 'b', undefined, null, {}, 3, 3n, true]) counts.add(value);
    assert.deepEqual(counts.groups().slice(0, 2), [
      { value: null, count: 3 },
      { value: 'b', count: 2 },
    ]);
    assert.equal(counts.groups().length, 6);
    for (let i = 0; i < 1_000; i++) counts.add(`v${i}`);
    counts.add('b');
    assert.equal(counts.groups().length, 1_000);
    assert.equal(counts.others, 6);
    counts.add('x'.repeat(2_000));
    assert.equal(counts.others, 7);
  });
});
