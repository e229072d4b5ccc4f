import assert from 'node:assert/strict';
import {
  describe as describeSchema,
  resolved,
  schemaAt,
  schemaOfKind,
  type Schema,
  type Schemas,
} from './schema.ts';
import { problemsOf } from './validate.ts';
import { sampleOf } from './sample.ts';
import { contextAt } from './yaml-context.ts';

const schemas: Schemas = {
  'x.Spec': {
    type: 'object',
    description: 'What is wanted.',
    required: ['engine'],
    properties: {
      engine: { type: 'string', enum: ['postgres', 'mysql'] },
      replicas: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
      port: { 'x-kubernetes-int-or-string': true },
      names: { type: 'array', maxItems: 2, items: { type: 'string' } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
  'x.Database': {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      spec: { allOf: [{ $ref: '#/components/schemas/x.Spec' }], description: 'Of this database.' },
    },
    'x-kubernetes-group-version-kind': [{ group: 'x', version: 'v1', kind: 'Database' }],
  },
  loop: { $ref: '#/components/schemas/loop' },
};
const schema = schemaOfKind(schemas, { group: 'x', version: 'v1', kind: 'Database' })!;

describe('a published schema', () => {
  it('is found by its kind and followed through references', () => {
    assert.equal(schemaAt(schema, ['spec', 'names', 0], schemas)?.type, 'string');
    assert.equal(schemaAt(schema, ['spec'], schemas)?.description, 'Of this database.');
    assert.equal(schemaAt(schema, ['spec', '__proto__'], schemas), undefined);
    assert.equal(
      resolved({ $ref: '#/components/schemas/loop' }, schemas)?.$ref,
      '#/components/schemas/loop',
    );
  });

  it('describes what it allows', () => {
    const { type, bounds } = describeSchema(schemaAt(schema, ['spec', 'replicas'], schemas));
    assert.deepEqual([type, ...bounds], ['integer', 'at least 1', 'at most 9', 'by default 1']);
    assert.equal(
      describeSchema(schemaAt(schema, ['spec', 'names'], schemas)).type,
      'list of string',
    );
  });

  it('describes steps, and how lists and maps are merged, in both spellings', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const words = (more: Schema): readonly string[] => describeSchema({ ...list, ...more }).bounds;
    assert.deepEqual(words({ type: 'integer', multipleOf: 5 }), ['a multiple of 5']);
    const set = ['a set: no item twice'];
    assert.deepEqual(words({ 'x-kubernetes-list-type': 'set' }), set);
    assert.deepEqual(words({ 'x-cluster-list-type': 'set' }), set);
    const keys = ['name', 'port'];
    const map = ['each item has another name and port'];
    assert.deepEqual(
      words({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }),
      map,
    );
    assert.deepEqual(words({ 'x-cluster-list-type': 'map', 'x-cluster-list-map-keys': keys }), map);
    for (const atomic of [
      { 'x-kubernetes-list-type': 'atomic' },
      { 'x-cluster-list-type': 'atomic' },
      { 'x-kubernetes-map-type': 'atomic' },
      { 'x-cluster-map-type': 'atomic' },
    ]) {
      assert.deepEqual(words(atomic), ['replaced as a whole']);
    }
  });

  it('reports violations with their location', () => {
    const value = {
      spec: { replicas: 12, port: 1.5, names: ['a', 2, 'c'], labels: { a: 1 }, color: 'red' },
      more: 1,
    };
    const found = problemsOf(value, schema, schemas).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
    assert.deepEqual(found.toSorted(), [
      'more: the schema does not have this field',
      'spec.color: the schema does not have this field',
      'spec.engine: is required',
      'spec.labels.a: must be a string',
      'spec.names.1: must be a string',
      'spec.names: must have at most 2 items',
      'spec.port: must be an integer or a string',
      'spec.replicas: must be at most 9',
    ]);
    assert.deepEqual(problemsOf({ spec: { engine: 'mysql', replicas: 3n } }, schema, schemas), []);
  });

  it('generates an initial document', () => {
    const text = sampleOf(
      { schema, schemas },
      { apiVersion: 'x/v1', kind: 'Database', namespace: 'n' },
    );
    assert.equal(
      text,
      'apiVersion: x/v1\nkind: Database\nmetadata:\n  name: ""\n  namespace: n\nspec:\n  engine: postgres\n',
    );
  });
});

describe('the place in a YAML text', () => {
  const text = 'spec:\n  engine: mysql\n  users:\n  - name: a\n    admin: true\n  - na\n  la: \n';
  const at = (line: number, column: number): unknown => {
    const { path, isValue, present } = contextAt(text.split('\n'), line, column);
    return [path.join('.'), isValue, present.join()];
  };
  it('is found by its indentation, also in unfinished text', () => {
    assert.deepEqual(at(1, 4), ['spec', false, 'engine,users,la']);
    assert.deepEqual(at(1, 14), ['spec.engine', true, '']);
    assert.deepEqual(at(4, 6), ['spec.users.0', false, 'name,admin']);
    assert.deepEqual(at(5, 6), ['spec.users.1', false, 'na']);
    assert.deepEqual(at(6, 6), ['spec.la', true, '']);
    assert.deepEqual(at(7, 0), ['', false, 'spec']);
  });
});
