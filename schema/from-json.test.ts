import assert from 'node:assert/strict';
import type { JsonObject } from '../api/json.ts';
import { schemaFromJson } from './from-json.ts';
import { LazySchema, schemaOfVersion } from './lazy.ts';

describe('schemaFromJson', () => {
  it('reads structure, keywords and extensions in both spellings, the neutral one first', () => {
    const schema = schemaFromJson({
      type: 'object',
      description: 'not kept',
      properties: {
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-cluster-list-map-keys': ['a'],
          'x-kubernetes-list-map-keys': ['b'],
          items: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
        },
        port: { 'x-cluster-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        size: { type: 'integer', maximum: 2n ** 62n, exclusiveMaximum: true, enum: [1, 2] },
        map: { type: 'object', additionalProperties: { type: 'string', maxLength: 3 } },
        closed: { type: 'object', additionalProperties: false, 'x-kubernetes-map-type': 'atomic' },
        rule: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""' }] },
      },
      required: ['list'],
    });
    const at = (name: string) => schema.child(name)!;
    assert.equal(at('list').listType, 'map');
    assert.deepEqual(at('list').listMapKeys, ['a']);
    assert.deepEqual(
      at('list').items?.defaulted.map((d) => d.name),
      ['a'],
    );
    assert.equal(at('port').intOrString, true);
    assert.deepEqual(
      at('port').keywords?.anyOf.map((s) => s.type),
      ['integer', 'string'],
    );
    assert.equal(at('size').keywords?.maximum, 2n ** 62n);
    assert.equal(at('size').keywords?.exclusiveMaximum, true);
    assert.equal(at('map').child('any')?.keywords?.maxLength, 3);
    assert.equal(at('closed').additionalProperties, false);
    assert.equal(at('closed').mapType, 'atomic');
    assert.equal(at('rule').rules[0]?.rule, 'self != ""');
    assert.deepEqual(schema.keywords?.required, ['list']);
    assert.equal(schema.child('toString'), undefined);
  });

  it('takes null as no default, keeps nothing of the JSON, and never changes', () => {
    const json = {
      type: 'object',
      default: { a: [1] },
      properties: { a: { type: 'array', default: null } },
    };
    const schema = schemaFromJson(json);
    json.default.a.push(2);
    assert.deepEqual(schema.default, { a: [1] });
    assert.ok(Object.isFrozen((schema.default as JsonObject)['a']));
    assert.equal(schema.child('a')?.default, undefined);
    assert.equal(schemaFromJson({ type: 'string', enum: [], minLength: 0 }).keywords?.minLength, 0);
    assert.equal(schemaFromJson({ type: 'string', enum: [], format: '' }).keywords, undefined);
  });

  it('accepts any JSON without a crash', () => {
    const schema = schemaFromJson({
      type: 7,
      properties: [],
      items: 'x',
      required: [1, 'a'],
      'x-cluster-validations': [1, { rule: 2 }],
      'x-cluster-list-type': 'bag',
    });
    assert.equal(schema.type, '');
    assert.equal(schema.properties, undefined);
    assert.deepEqual(schema.keywords?.required, ['a']);
    assert.equal(schema.listType, undefined);
    assert.equal(schema.rules[0]?.rule, '');
  });
});

describe('LazySchema', () => {
  const definition: JsonObject = {
    spec: {
      versions: [
        { name: 'v1', schema: { openAPIV3Schema: { type: 'object', nullable: true } } },
        { name: 'v2' },
      ],
    },
  };

  it('reads the definition when the schema is first used, and only then', () => {
    const bytes = Buffer.from(JSON.stringify(definition));
    const lazy = LazySchema.ofDefinition(bytes, 'v1');
    assert.equal(lazy.isBuilt, false);
    assert.equal(lazy.schema.nullable, true);
    assert.equal(lazy.isBuilt, true);
    assert.equal(lazy.schema, lazy.schema);
  });

  it('knows no field where a version has no schema', () => {
    const lazy = new LazySchema(() => schemaOfVersion(definition, 'v2'));
    assert.equal(lazy.schema.properties, undefined);
    assert.equal(lazy.schema.type, 'object');
    assert.equal(schemaOfVersion(definition, 'v3'), undefined);
  });
});
