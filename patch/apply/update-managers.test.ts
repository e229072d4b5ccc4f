import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { ManagedObject, members, mergeSchema, testKind, V1 } from '../testing.ts';
import { resetFieldsIn } from './reset-fields.ts';

const schema = mergeSchema(
  {
    properties: {
      replicas: { type: 'integer' },
      image: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' },
      args: { type: 'array', items: { type: 'string' } },
      env: { type: 'object', additionalProperties: { type: 'string' } },
      selector: {
        type: 'object',
        additionalProperties: { type: 'string' },
        'x-cluster-map-type': 'atomic',
      },
      containers: {
        type: 'array',
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['name'],
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, image: { type: 'string' } },
        },
      },
    },
  },
  { status: { type: 'object', properties: { phase: { type: 'string' } } } },
);
const kind = testKind(schema);
const app = (): ManagedObject => new ManagedObject(kind);
const setSpec = (spec: JsonObject) => (object: JsonObject) => {
  object['spec'] = spec;
};
const change = (values: JsonObject) => (object: JsonObject) => {
  object['spec'] = { ...(object['spec'] as JsonObject), ...values };
};
const owns = (...names: string[]): JsonObject => ({ 'f:spec': members(...names) });

describe('plain writes: ownership', () => {
  it('the creator of an object owns all of it with the parents, except fields that are never owned', () => {
    const o = app().update('creator', (object) => {
      object['metadata'] = { name: 'a', uid: 'u', labels: { x: 'y' }, finalizers: ['f'] };
      object['spec'] = {
        replicas: 1,
        args: ['x'],
        tags: ['t'],
        containers: [{ name: 'c' }],
        selector: { a: 'b' },
      };
    });
    assert.deepEqual(o.entries, [
      {
        manager: 'creator',
        operation: 'Update',
        apiVersion: V1,
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:finalizers': { '.': {}, 'v:"f"': {} }, 'f:labels': members('.', 'x') },
          'f:spec': {
            '.': {},
            'f:args': {},
            'f:containers': { '.': {}, 'k:{"name":"c"}': members('.', 'name') },
            'f:replicas': {},
            'f:selector': {},
            'f:tags': { '.': {}, 'v:"t"': {} },
          },
        },
      },
    ]);
  });

  it('a manager that changes a value takes it, and the parents stay with their owner', () => {
    const o = app()
      .update('a', setSpec({ replicas: 1, image: 'x' }))
      .update('b', change({ image: 'y' }));
    assert.deepEqual(o.owners, { 'a Update': owns('.', 'replicas'), 'b Update': owns('image') });
  });

  it('removing a value takes it from its manager and gives no ownership', () => {
    const o = app()
      .apply('a', { spec: { replicas: 1, image: 'x' } })
      .update('b', setSpec({ replicas: 1 }));
    assert.deepEqual(o.owners, { 'a Apply': owns('replicas') });
  });

  it('the same values again change neither owners nor times', () => {
    const o = app().update('a', setSpec({ replicas: 1 }));
    const before = o.entries[0];
    o.now += 60_000;
    o.update('b', setSpec({ replicas: 1 }));
    assert.equal(o.entries.length, 1);
    assert.equal(o.entries[0]?.time, before?.time);
    assert.deepEqual(o.owners, { 'a Update': owns('.', 'replicas') });
  });

  it('the time of a manager changes only when it takes a field', () => {
    const o = app()
      .update('a', setSpec({ replicas: 1, image: 'x' }))
      .update('b', change({ replicas: 2 }));
    o.now += 60_000;
    o.update('a', change({ image: 'y' }));
    assert.deepEqual(
      o.entries.map((e) => [e.manager, e.time]),
      [
        ['b', '2026-01-01T00:00:00Z'],
        ['a', '2026-01-01T00:01:00Z'],
      ],
    );
  });

  it('one name may stand for an apply and an update entry', () => {
    const o = app()
      .apply('t', { spec: { replicas: 1, image: 'x' } })
      .update('t', change({ replicas: 2 }));
    assert.deepEqual(o.owners, { 't Apply': owns('image'), 't Update': owns('replicas') });
    assert.deepEqual(o.conflicts('t', { spec: { replicas: 1, image: 'x' } }), ['.spec.replicas']);
  });

  it('items of lists change hands one by one, their order has no owner', () => {
    const items = (...list: string[][]): JsonObject => ({
      containers: list.map(([name, image]) => ({ name: name ?? '', image: image ?? '' })),
    });
    const o = app()
      .update('a', setSpec(items(['w', '1'])))
      .update('b', setSpec(items(['w', '2'], ['l', '1'])));
    assert.deepEqual(o.owners['b Update'], {
      'f:spec': {
        'f:containers': {
          'k:{"name":"l"}': members('.', 'image', 'name'),
          'k:{"name":"w"}': members('image'),
        },
      },
    });
    const before = o.owners;
    o.update('c', setSpec(items(['l', '1'], ['w', '2'])));
    assert.deepEqual(o.owners, before);
  });

  it('an item that is there twice is owned as a whole, and again as itself when it is there once', () => {
    const o = app()
      .update('a', setSpec({ tags: ['x'] }))
      .update('b', setSpec({ tags: ['x', 'x'] }));
    assert.deepEqual(o.owners, {
      'a Update': { 'f:spec': { '.': {}, 'f:tags': {} } },
      'b Update': { 'f:spec': { 'f:tags': { 'v:"x"': {} } } },
    });
    const after = o.update('c', setSpec({ tags: ['x'] })).owners;
    assert.deepEqual(after['c Update'], { 'f:spec': { 'f:tags': { 'v:"x"': {} } } });
  });

  it('emptied atomic values are owned as empty, others have no owner', () => {
    const o = app()
      .apply('a', { spec: { tags: ['x'], env: { A: '1' }, args: ['x'], selector: { a: 'b' } } })
      .update('b', setSpec({ tags: [], env: {}, args: [], selector: {} }));
    assert.deepEqual(o.owners, { 'b Update': owns('args', 'selector') });
  });

  it('a manager without a name is called unknown', () => {
    assert.deepEqual(Object.keys(app().update('', setSpec({ replicas: 1 })).owners), [
      'unknown Update',
    ]);
  });

  it('fields that the write does not take are not owned', () => {
    const main = testKind(schema, { resetFields: resetFieldsIn([V1], [['status']]) });
    const o = new ManagedObject(main).update('a', (object) => {
      object['spec'] = { replicas: 1 };
      object['status'] = { phase: 'Ready' };
    });
    assert.deepEqual(o.owners, { 'a Update': owns('.', 'replicas') });
  });
});

describe('plain writes: what cannot be tracked', () => {
  it('an object that does not fit its schema loses its entries, the write goes on', () => {
    const o = app()
      .apply('a', { spec: { replicas: 1 } })
      .update('b', change({ replicas: 'many' }));
    assert.deepEqual(o.entries, []);
    assert.deepEqual(o.spec, { replicas: 'many' });
  });

  it('so does one with entries of a version that the kind has no more', () => {
    const o = app().apply('a', { spec: { replicas: 1 } });
    (o.entries[0] as { apiVersion: string }).apiVersion = 'example.com/v0';
    assert.deepEqual(o.update('b', change({ replicas: 2 })).entries, []);
  });

  it('entries of a version that is known to be none are dropped alone', () => {
    const tolerant = testKind(schema, { convert: () => ({ kind: 'unknown-version' }) });
    const o = new ManagedObject(tolerant)
      .apply('a', { spec: { replicas: 1 } })
      .update('c', change({ image: 'x' }));
    (o.entries[0] as { apiVersion: string }).apiVersion = 'example.com/v0';
    assert.deepEqual(Object.keys(o.update('b', change({ image: 'y' })).owners), ['b Update']);
  });
});
