import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonObject, type JsonValue } from '../api/json.ts';
import { boolean, list, map, string, struct, use } from '../schema/dsl.ts';
import { kind } from '../schema/object-meta.ts';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { mergeSchemaOf } from './merge-schema-of.ts';
import { applyStrategicMergePatch } from './strategic-at-once.ts';

const Condition = struct('test.v1.Condition', {
  type: string({ required: true }),
  status: string({ required: true }),
  reason: string(),
  notes: list(string(), { patchStrategy: 'merge' }),
});
const Node = kind('test.v1.Node', {
  spec: use(
    struct('test.v1.NodeSpec', {
      unschedulable: boolean(),
      taints: list(map(string())),
      cidrs: list(string(), { patchStrategy: 'merge' }),
      fixed: map(string(), { patchStrategy: 'replace' }),
    }),
    {},
  ),
  status: use(
    struct('test.v1.NodeStatus', {
      conditions: list(Condition, {
        listType: 'map',
        listMapKeys: ['type'],
        patchStrategy: 'merge',
        patchMergeKey: 'type',
      }),
    }),
    {},
  ),
});
const schema = mergeSchemaOf(Node);

function patched(live: JsonObject, patch: JsonObject): JsonObject {
  const outcome = applyStrategicMergePatch(schema, live, patch);
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.error.message);
  return outcome.value;
}
function refused(live: JsonObject, patch: JsonObject): [number, string] {
  const outcome = applyStrategicMergePatch(schema, live, patch);
  assert.ok(!outcome.ok);
  return [outcome.error.code, outcome.error.message];
}
const conditions = (...items: JsonValue[]): JsonObject => ({ status: { conditions: items } });
const ready = { type: 'Ready', status: 'True', reason: 'R' };
const disk = { type: 'Disk', status: 'False' };
const pid = { type: 'PID', status: 'False' };

describe('strategic merge patch: objects', () => {
  it('merges members, removes by null, takes any other value', () => {
    assert.deepEqual(
      patched(
        { metadata: { labels: { a: '1', b: '2' } }, spec: { unschedulable: true } },
        { metadata: { labels: { a: null, c: '3' } }, spec: { unschedulable: null } },
      ),
      {
        metadata: { labels: { b: '2', c: '3' } },
        spec: {},
      },
    );
  });

  it('a new object loses its nulls and directives', () => {
    const patch = { metadata: { labels: { a: null, b: '2' }, annotations: { $patch: 'delete' } } };
    assert.deepEqual(patched({}, patch), { metadata: { labels: { b: '2' } } });
    assert.deepEqual(
      patched({}, { spec: { $retainKeys: ['x'], '$setElementOrder/cidrs': ['a'], cidrs: ['a'] } }),
      { spec: { cidrs: ['a'] } },
    );
  });

  it('a field with the strategy replace is replaced', () => {
    assert.deepEqual(patched({ spec: { fixed: { a: '1' } } }, { spec: { fixed: { b: '2' } } }), {
      spec: { fixed: { b: '2' } },
    });
  });

  it('$patch: replace takes the object as it is, $patch: delete empties it', () => {
    const live = { metadata: { labels: { a: '1' } } };
    assert.deepEqual(patched(live, { metadata: { labels: { $patch: 'replace', only: 'this' } } }), {
      metadata: { labels: { only: 'this' } },
    });
    assert.deepEqual(patched(live, { metadata: { labels: { $patch: 'delete' } } }), {
      metadata: { labels: {} },
    });
    assert.equal(refused(live, { metadata: { labels: { $patch: 'shred' } } })[0], 400);
  });

  it('$retainKeys keeps only the keys that it names', () => {
    const live = { metadata: { labels: { a: '1', b: '2' } } };
    assert.deepEqual(patched(live, { metadata: { labels: { $retainKeys: ['b', 'c'], c: '3' } } }), {
      metadata: { labels: { b: '2', c: '3' } },
    });
    assert.equal(refused(live, { metadata: { labels: { $retainKeys: ['b'], c: '3' } } })[0], 400);
    assert.equal(refused(live, { metadata: { labels: { $retainKeys: 'b' } } })[0], 400);
  });

  it('keys such as __proto__ are keys like any other', () => {
    const patch = JSON.parse(
      '{"metadata":{"labels":{"__proto__":"p","constructor":"c","toString":null}}}',
    ) as JsonObject;
    assert.equal(
      JSON.stringify(patched({ metadata: { labels: {} } }, patch)),
      '{"metadata":{"labels":{"__proto__":"p","constructor":"c"}}}',
    );
  });
});

describe('strategic merge patch: lists of objects', () => {
  it('merge by key, new items first when nothing else orders them', () => {
    const live = conditions(ready, disk);
    assert.deepEqual(
      patched(live, conditions({ type: 'Disk', status: 'True' }, pid)),
      conditions(ready, { type: 'Disk', status: 'True' }, pid),
    );
    assert.deepEqual(patched(live, conditions(pid)), conditions(pid, ready, disk));
  });

  it('null removes a field of an item', () => {
    assert.deepEqual(
      patched(conditions(ready), conditions({ type: 'Ready', reason: null })),
      conditions({ type: 'Ready', status: 'True' }),
    );
  });

  it('$patch: delete removes an item, also one that is not there', () => {
    assert.deepEqual(
      patched(
        conditions(ready, disk),
        conditions({ type: 'Disk', $patch: 'delete' }, { type: 'X', $patch: 'delete' }),
      ),
      conditions(ready),
    );
  });

  it('$patch: replace replaces the list', () => {
    assert.deepEqual(
      patched(conditions(ready, disk), conditions({ $patch: 'replace' }, pid)),
      conditions(pid),
    );
  });

  it('$retainKeys works in an item', () => {
    assert.deepEqual(
      patched(
        conditions(ready),
        conditions({ type: 'Ready', $retainKeys: ['type', 'status'], status: 'X' }),
      ),
      conditions({ type: 'Ready', status: 'X' }),
    );
  });

  it('lists without the strategy merge are replaced', () => {
    assert.deepEqual(
      patched({ spec: { taints: [{ key: 'a' }] } }, { spec: { taints: [{ key: 'b' }] } }),
      { spec: { taints: [{ key: 'b' }] } },
    );
  });

  it('$setElementOrder orders what it names, the rest keeps its place', () => {
    const order = (patch: JsonValue[], ...types: string[]): JsonObject => ({
      status: { '$setElementOrder/conditions': types.map((type) => ({ type })), conditions: patch },
    });
    const live = conditions(ready, disk, pid);
    const types = (object: JsonObject): string[] =>
      (object['status'] as { conditions: { type: string }[] }).conditions.map(({ type }) => type);
    assert.deepEqual(types(patched(live, order([], 'PID', 'Ready'))), ['Disk', 'PID', 'Ready']);
    assert.deepEqual(
      types(patched(live, order([{ type: 'New', status: 'X' }], 'New', 'PID', 'Ready'))),
      ['New', 'Disk', 'PID', 'Ready'],
    );
    assert.deepEqual(types(patched({}, order([pid, ready], 'PID', 'Ready'))), ['PID', 'Ready']);
    assert.equal(refused(live, order([disk], 'Ready'))[0], 400);
    assert.equal(refused(live, order([pid, ready], 'Ready', 'PID'))[0], 400);
  });

  for (const [what, patch, code] of [
    ['an item without its key', conditions({ status: 'X' }), 400],
    ['a deletion without its key', conditions({ $patch: 'delete' }), 400],
    ['items of several types', conditions(ready, 'x'), 400],
    ['null for an item', conditions(null), 400],
    ['lists of lists', conditions([ready]), 422],
    ['$patch: merge in a list', conditions({ type: 'Ready', $patch: 'merge' }), 400],
    ['an unknown directive', conditions({ type: 'Ready', $patch: 'x' }), 400],
    ['an order that is not a list', { status: { '$setElementOrder/conditions': {} } }, 400],
    ['an order without a field', { status: { $setElementOrder: [] } }, 400],
    [
      'an order for a value that is not a list',
      { status: { '$setElementOrder/conditions': [{ type: 'Ready' }], conditions: {} } },
      400,
    ],
  ] as [string, JsonObject, number][]) {
    it(`refuses ${what}`, () => assert.equal(refused(conditions(ready), patch)[0], code));
  }
});

describe('strategic merge patch: lists of scalars', () => {
  const finalizers = (...names: string[]): JsonObject => ({ metadata: { finalizers: names } });

  it('merge as sets', () => {
    assert.deepEqual(
      patched(finalizers('one', 'two'), finalizers('three', 'one')),
      finalizers('three', 'one', 'two'),
    );
  });

  it('$deleteFromPrimitiveList takes values out', () => {
    const remove = (value: JsonValue): JsonObject => ({
      metadata: { '$deleteFromPrimitiveList/finalizers': value },
    });
    assert.deepEqual(
      patched(finalizers('one', 'two'), remove(['one', 'never'])),
      finalizers('two'),
    );
    assert.deepEqual(patched({ metadata: {} }, remove(['one'])), { metadata: {} });
    assert.equal(
      refused(finalizers('one'), { metadata: { $deleteFromPrimitiveList: ['one'] } })[0],
      400,
    );
  });

  it('$deleteFromPrimitiveList for items that are objects merges them by key', () => {
    const remove = (...items: JsonValue[]): JsonObject => ({
      status: { '$deleteFromPrimitiveList/conditions': items },
    });
    assert.deepEqual(
      patched(conditions(ready, disk), remove({ type: 'Disk', $patch: 'delete' })),
      conditions(ready),
    );
    assert.deepEqual(patched(conditions(), remove()), conditions());
    assert.equal(refused(conditions(ready), remove('Ready'))[0], 400);
    assert.equal(refused(conditions(ready), remove({ status: 'X' }))[0], 400);
    const taints = { spec: { '$deleteFromPrimitiveList/taints': [{ key: 'a' }] } };
    assert.equal(refused({ spec: { taints: [{ key: 'a' }] } }, taints)[0], 400);
  });

  it('directives of an item that is new to a list have nothing to work on', () => {
    const directives = { $retainKeys: ['type', 'status'], '$deleteFromPrimitiveList/notes': ['x'] };
    assert.deepEqual(
      patched(conditions(ready), conditions({ ...disk, ...directives })),
      conditions(disk, ready),
    );
    assert.deepEqual(patched({ status: {} }, conditions({ ...disk, ...directives })), {
      status: { conditions: [disk] },
    });
  });

  it('an item without its key is accepted where the list does not exist yet', () => {
    assert.deepEqual(patched({ status: {} }, conditions({ status: 'X' })), {
      status: { conditions: [{ status: 'X' }] },
    });
  });

  it('$setElementOrder orders them', () => {
    const patch = {
      metadata: { '$setElementOrder/finalizers': ['three', 'one'], finalizers: ['three'] },
    };
    assert.deepEqual(patched(finalizers('one', 'two'), patch), finalizers('three', 'one', 'two'));
  });
});

describe('strategic merge patch: inputs', () => {
  const item = fc.record(
    {
      type: fc.constantFrom('A', 'B', 'C'),
      status: fc.constantFrom('x', 'y'),
      $patch: fc.constantFrom('delete', 'replace'),
    },
    { requiredKeys: ['type'] },
  );
  const object = fc.record(
    {
      metadata: fc.record(
        {
          labels: fc.dictionary(
            fc.constantFrom('a', 'b', '$patch', '$retainKeys'),
            fc.constantFrom<JsonValue>('1', null, 'delete'),
          ),
          finalizers: fc.array(fc.constantFrom('p', 'q')),
        },
        { requiredKeys: [] },
      ),
      status: fc.record(
        { conditions: fc.uniqueArray(item, { selector: ({ type }) => type }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;

  it('never change, and the result shares nothing with them', () => {
    fc.assert(
      fc.property(object, object, (live, patch) => {
        const copies = JSON.stringify([live, patch]);
        const outcome = applyStrategicMergePatch(schema, live, patch);
        assert.equal(JSON.stringify([live, patch]), copies);
        if (!outcome.ok) return;
        const inputs = new Set([...containers(live), ...containers(patch)]);
        assert.ok(containers(outcome.value).every((c) => !inputs.has(c)));
      }),
    );
  });

  it('long lists take linear time', () => {
    const many = (status: string): JsonValue[] =>
      Array.from({ length: 20_000 }, (_, i) => ({ type: `T${i}`, status }));
    const order = many('x').map((c) => ({ type: (c as JsonObject)['type'] ?? null }));
    const start = cpuMs();
    const result = patched(conditions(...many('a')), {
      status: { '$setElementOrder/conditions': order, conditions: many('b') },
    });
    assert.ok(cpuMs() - start < scaled(2000));
    assert.deepEqual(((result['status'] as JsonObject)['conditions'] as JsonValue[])[7], {
      type: 'T7',
      status: 'b',
    });
  });
});

function containers(value: JsonValue): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}
