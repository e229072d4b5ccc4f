import assert from 'node:assert/strict';
import { deepClone, type JsonObject } from '../../api/json.ts';
import { ManagedObject, members, mergeSchema, testKind, V1 } from '../testing.ts';
import { resetFieldsIn } from './reset-fields.ts';

const schema = mergeSchema(
  {
    properties: {
      replicas: { type: 'integer' },
      image: { type: 'string' },
      paused: { type: 'boolean' },
      env: { type: 'object', additionalProperties: { type: 'string' } },
      strategy: {
        type: 'object',
        properties: { type: { type: 'string' }, surge: { type: 'integer' } },
      },
    },
  },
  { status: { type: 'object', properties: { phase: { type: 'string' } } } },
);
const app = (): ManagedObject => new ManagedObject(testKind(schema));
const spec = (value: JsonObject): JsonObject => ({ spec: value });
const owns = (...names: string[]): JsonObject => ({ 'f:spec': members(...names) });

describe('apply: ownership', () => {
  it('creates an object and owns what the configuration names', () => {
    const o = app().apply('alice', {
      metadata: { name: 'a', labels: { x: 'y' } },
      ...spec({ replicas: 2, env: { A: '1' } }),
    });
    assert.deepEqual(o.spec, { replicas: 2, env: { A: '1' } });
    assert.deepEqual(o.entries, [
      {
        manager: 'alice',
        operation: 'Apply',
        apiVersion: V1,
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:x': {} } },
          'f:spec': { 'f:env': { 'f:A': {} }, 'f:replicas': {} },
        },
      },
    ]);
  });

  it('fields with the same value are shared', () => {
    const o = app()
      .apply('alice', spec({ replicas: 2 }))
      .apply('bob', spec({ replicas: 2, image: 'x' }));
    assert.deepEqual(o.owners, {
      'alice Apply': owns('replicas'),
      'bob Apply': owns('image', 'replicas'),
    });
  });

  it('another value is a conflict, and nothing changes', () => {
    const o = app().apply('alice', spec({ replicas: 2, strategy: { surge: 1 } }));
    assert.deepEqual(o.conflicts('bob', spec({ strategy: { surge: 2 }, replicas: 3 })), [
      '.spec.replicas',
      '.spec.strategy.surge',
    ]);
    assert.deepEqual(o.spec, { replicas: 2, strategy: { surge: 1 } });
  });

  it('force takes the field', () => {
    const o = app()
      .apply('alice', spec({ replicas: 2, image: 'x' }))
      .apply('bob', spec({ replicas: 3 }), { force: true });
    assert.deepEqual(o.spec, { replicas: 3, image: 'x' });
    assert.deepEqual(o.owners, { 'alice Apply': owns('image'), 'bob Apply': owns('replicas') });
  });

  it('a manager that loses all its fields loses its entry', () => {
    const o = app()
      .apply('alice', spec({ replicas: 2 }))
      .apply('bob', spec({ replicas: 3 }), { force: true });
    assert.deepEqual(Object.keys(o.owners), ['bob Apply']);
  });

  it('a field that its only owner leaves out is removed', () => {
    const o = app()
      .apply('alice', spec({ replicas: 2, env: { A: '1', B: '2' } }))
      .apply('alice', spec({ env: { B: '2' } }));
    assert.deepEqual(o.spec, { env: { B: '2' } });
    o.apply('alice', {});
    assert.equal(o.spec, undefined);
    assert.deepEqual(o.entries, []);
  });

  it('a field that another owns, by apply or by update, stays when it is left out', () => {
    const o = app()
      .apply('alice', spec({ replicas: 2, image: 'x' }))
      .update('editor', (object) => Object.assign(object['spec'] as JsonObject, { paused: true }))
      .apply('bob', spec({ replicas: 2, paused: true }))
      .apply('bob', {});
    assert.deepEqual(o.spec, { replicas: 2, image: 'x', paused: true });
  });

  it('unowned fields stay when the rest of their parent is left out', () => {
    const o = app().apply('alice', spec({ env: { A: '1' } }));
    ((o.object as JsonObject)['spec'] as JsonObject)['env'] = { A: '1', DEFAULTED: 'x' };
    o.apply('alice', spec({ env: {} }));
    assert.deepEqual(o.spec, { env: { DEFAULTED: 'x' } });
  });

  it('never owns identity and what the server writes', () => {
    const o = app().apply('alice', {
      metadata: {
        name: 'a',
        namespace: 'n',
        uid: 'u',
        generation: 7,
        creationTimestamp: null,
        resourceVersion: '1',
        selfLink: '/x',
        deletionTimestamp: null,
      },
    });
    assert.deepEqual(o.owners, { 'alice Apply': { 'f:metadata': members('deletionTimestamp') } });
  });

  it('an object that was never tracked belongs to before-first-apply', () => {
    const o = app();
    o.object = {
      apiVersion: V1,
      kind: 'App',
      metadata: { name: 'a', uid: 'u' },
      spec: { replicas: 2, image: 'x' },
    };
    o.apply('alice', spec({ replicas: 2 }));
    assert.deepEqual(o.owners, {
      'alice Apply': owns('replicas'),
      'before-first-apply Update': owns('.', 'image', 'replicas'),
    });
    assert.deepEqual(o.conflicts('alice', spec({ replicas: 3 })), ['.spec.replicas']);
  });
});

describe('apply: times', () => {
  it('an apply that changes nothing keeps the object and the entry itself', () => {
    const o = app().apply('alice', spec({ replicas: 2, env: { A: '1' } }));
    const [object, entry] = [o.object, o.entries[0]];
    o.now += 60_000;
    const outcome = o.tryApply('alice', spec({ env: { A: '1' }, replicas: 2 }));
    assert.ok(outcome.ok);
    assert.equal(outcome.changed, false);
    assert.equal(outcome.managedFields[0], entry);
    assert.deepEqual(o.object, object);
  });

  it('a manager that only comes to share has no time, and the times of others stay', () => {
    const o = app().apply('alice', spec({ replicas: 2 }));
    o.now += 60_000;
    o.apply('bob', spec({ replicas: 2 }));
    assert.deepEqual(
      o.entries.map(({ manager, time }) => [manager, time]),
      [
        ['bob', undefined],
        ['alice', '2026-01-01T00:00:00Z'],
      ],
    );
    o.apply('bob', spec({ replicas: 2, image: 'x' }));
    assert.deepEqual(
      o.entries.map(({ manager, time }) => [manager, time]),
      [
        ['alice', '2026-01-01T00:00:00Z'],
        ['bob', '2026-01-01T00:01:00Z'],
      ],
    );
  });
});

describe('apply: subresources', () => {
  const main = testKind(schema, { resetFields: resetFieldsIn([V1], [['status']]) });
  const status = testKind(schema, {
    subresource: 'status',
    resetFields: resetFieldsIn([V1], [['metadata'], ['spec']]),
  });

  it('the status has an entry of its own, also under the same name', () => {
    const o = new ManagedObject(main)
      .apply('tool', spec({ replicas: 2 }))
      .apply('tool', { status: { phase: 'Ready' } }, { kind: status });
    assert.deepEqual(o.owners, {
      'tool Apply': owns('replicas'),
      'tool Apply status': { 'f:status': members('phase') },
    });
    o.apply('tool', spec({ replicas: 3 }));
    assert.deepEqual(o.object?.['status'], { phase: 'Ready' });
  });

  it('fields that the subresource does not take are not owned', () => {
    const o = new ManagedObject(main)
      .apply('alice', { ...spec({ replicas: 2 }), status: { phase: 'Ready' } })
      .apply(
        'carol',
        {
          ...spec({ replicas: 9 }),
          metadata: { name: 'a', labels: { x: 'y' } },
          status: { phase: 'Ready' },
        },
        { kind: status },
      );
    assert.deepEqual(o.owners, {
      'alice Apply': owns('replicas'),
      'carol Apply status': { 'f:status': members('phase') },
    });
  });

  it('conflicts name the subresource', () => {
    const o = new ManagedObject(main)
      .apply('alice', spec({ replicas: 1 }))
      .apply('agent', { status: { phase: 'Ready' } }, { kind: status });
    const outcome = o.tryApply('other', { status: { phase: 'Gone' } }, { kind: status });
    assert.ok(!outcome.ok);
    assert.equal(
      outcome.error.message,
      'Apply failed with 1 conflict: conflict with "agent" with subresource "status": .status.phase',
    );
  });
});

it('apply changes none of its inputs and shares nothing with them', () => {
  const o = app().apply('alice', spec({ replicas: 2, env: { A: '1' } }));
  const live = deepClone(o.object as JsonObject);
  const applied = spec({ image: 'x', env: { B: '2' } });
  const outcome = o.tryApply('bob', applied);
  assert.ok(outcome.ok);
  const env = (outcome.object['spec'] as JsonObject)['env'] as JsonObject;
  env['C'] = '3';
  (outcome.object['metadata'] as JsonObject)['name'] = 'changed';
  assert.deepEqual(applied, spec({ image: 'x', env: { B: '2' } }));
  assert.deepEqual(live['spec'], { replicas: 2, env: { A: '1' } });
});
