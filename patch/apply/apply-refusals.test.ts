import assert from 'node:assert/strict';
import { type JsonObject } from '../../api/json.ts';
import { ManagedObject, mergeSchema, testKind, V1 } from '../testing.ts';

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

describe('apply: conflicts in words', () => {
  it('one conflict in one line, several by manager', () => {
    const o = app()
      .apply('alice', spec({ replicas: 2 }))
      .update('editor', (object) =>
        Object.assign(object['spec'] as JsonObject, { image: 'x', paused: true }),
      );
    const one = o.tryApply('bob', spec({ replicas: 3 }));
    assert.ok(!one.ok);
    assert.deepEqual(one.error.status, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "alice": .spec.replicas',
      reason: 'Conflict',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "alice"',
            field: '.spec.replicas',
          },
        ],
      },
      code: 409,
    });
    const several = o.tryApply('bob', spec({ replicas: 3, image: 'y', paused: false }));
    assert.ok(!several.ok);
    assert.equal(
      several.error.message,
      `Apply failed with 3 conflicts: conflicts with "alice":\n- .spec.replicas\nconflicts with "editor" using ${V1}:\n- .spec.image\n- .spec.paused`,
    );
    assert.equal(
      several.error.status.details?.causes?.[1]?.message,
      `conflict with "editor" using ${V1}`,
    );
  });
});

describe('apply: refusals', () => {
  const refusal = (applied: JsonObject): [number, string] => {
    const outcome = app().tryApply('alice', applied);
    assert.ok(!outcome.ok);
    return [outcome.error.code, outcome.error.message];
  };
  const typed = 'failed to create typed patch object (/a): ';

  it('another kind, group or version', () => {
    assert.deepEqual(refusal({ kind: 'Other' }), [400, `invalid object type: ${V1}, Kind=Other`]);
    assert.deepEqual(refusal({ apiVersion: 'v1' }), [400, 'invalid object type: /v1, Kind=App']);
    assert.deepEqual(refusal({ apiVersion: 7 }), [400, 'invalid object type: /, Kind=App']);
  });

  it('managed fields in the configuration, the empty list too, but not null', () => {
    for (const managedFields of [[], [{}]]) {
      assert.deepEqual(refusal({ metadata: { name: 'a', managedFields } }), [
        400,
        'metadata.managedFields must be nil',
      ]);
    }
    app().apply('alice', { metadata: { name: 'a', managedFields: null } });
  });

  it('fields that the schema does not know, and values of another type', () => {
    assert.deepEqual(refusal(spec({ colour: 'red' })), [
      400,
      `${typed}.spec.colour: field not declared in schema`,
    ]);
    assert.deepEqual(refusal(spec({ replicas: 'many' })), [
      400,
      `${typed}.spec.replicas: expected numeric (int or float), got string`,
    ]);
    assert.deepEqual(refusal({ spec: 'x' }), [400, `${typed}.spec: expected map, got string`]);
    assert.deepEqual(refusal(spec({ env: { A: 1, B: true } })), [
      400,
      `${typed}errors:\n  .spec.env.A: expected string, got number\n  .spec.env.B: expected string, got boolean`,
    ]);
  });

  it('an object whose entries cannot be read', () => {
    const o = app().apply('alice', spec({ replicas: 1 }));
    (o.entries[0] as { operation: string }).operation = 'Create';
    const outcome = o.tryApply('alice', spec({ replicas: 2 }));
    assert.ok(!outcome.ok);
    assert.equal(outcome.error.code, 400);
  });
});
