import assert from 'node:assert/strict';
import type { JsonObject } from '../api/json.ts';
import {
  intOrString,
  json,
  list,
  quantity,
  raw,
  string,
  struct,
  time,
  use,
} from '../schema/dsl.ts';
import { schemaFromJson } from '../schema/from-json.ts';
import { kind } from '../schema/object-meta.ts';
import { mergeSchemaOf } from './merge-schema-of.ts';
import { DEDUCED, shapeOf, UNTYPED_ATOMIC, type MergeSchema } from './merge-schema.ts';

const of = (schema: JsonObject): MergeSchema =>
  mergeSchemaOf(schemaFromJson({ type: 'object', properties: { f: schema } })).map?.fields.get(
    'f',
  ) as MergeSchema;

describe('how a custom resource merges', () => {
  it('objects are granular and lists atomic unless they say otherwise', () => {
    assert.equal(of({ type: 'object', properties: { a: { type: 'string' } } }).map?.atomic, false);
    assert.equal(of({ type: 'object', 'x-cluster-map-type': 'atomic' }).map?.atomic, true);
    assert.equal(of({ type: 'array', items: { type: 'string' } }).list?.type, 'atomic');
    assert.equal(
      of({ type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' }).list?.type,
      'set',
    );
    assert.deepEqual(
      of({
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['a', 'b'],
      }).list?.keys,
      [
        { name: 'a', quoted: '"a"', default: 'x' },
        { name: 'b', quoted: '"b"', default: undefined },
      ],
    );
  });

  it('fields that are not declared are errors, unless the object is free-form', () => {
    assert.equal(
      of({ type: 'object', properties: { a: { type: 'string' } } }).map?.element,
      undefined,
    );
    assert.equal(of({ type: 'object' }).map?.element, DEDUCED);
    assert.equal(
      of({
        type: 'object',
        properties: { a: { type: 'string' } },
        'x-cluster-preserve-unknown-fields': true,
      }).map?.element,
      DEDUCED,
    );
    assert.equal(of({ type: 'object', additionalProperties: true }).map?.element, DEDUCED);
    assert.equal(
      of({ type: 'object', additionalProperties: { type: 'integer' } }).map?.element?.scalar,
      'numeric',
    );
  });

  it('below an object that preserves unknown fields all objects do', () => {
    const inner = of({
      type: 'object',
      'x-cluster-preserve-unknown-fields': true,
      properties: { o: { type: 'object', properties: { a: { type: 'string' } } } },
    });
    assert.equal(inner.map?.fields.get('o')?.map?.element, DEDUCED);
  });

  it('scalars: numbers, texts, and texts with a format that may be anything', () => {
    assert.equal(of({ type: 'number' }).scalar, 'numeric');
    assert.equal(of({ type: 'string' }).scalar, 'string');
    assert.equal(of({ type: 'string', format: 'byte' }).scalar, 'string');
    assert.equal(of({ type: 'string', format: 'date-time' }).scalar, 'untyped');
    assert.equal(of({ 'x-cluster-int-or-string': true }).scalar, 'untyped');
  });

  it('without a type the value decides', () => {
    const any = of({ 'x-cluster-preserve-unknown-fields': true });
    assert.deepEqual(
      [1, [1], {}, null].map((value) => shapeOf(any, value)),
      ['scalar', 'list', 'map', 'map'],
    );
  });

  it('the root and embedded resources have apiVersion, kind and metadata', () => {
    const root = mergeSchemaOf(
      schemaFromJson({ type: 'object', properties: { metadata: { type: 'object' } } }),
    );
    const embedded = of({
      type: 'object',
      'x-cluster-embedded-resource': true,
      'x-cluster-preserve-unknown-fields': true,
    });
    for (const schema of [root, embedded]) {
      const fields = schema.map?.fields;
      const metadata = fields?.get('metadata')?.map?.fields;
      assert.deepEqual(
        [
          fields?.get('kind')?.scalar,
          metadata?.get('finalizers')?.list?.type,
          metadata?.get('ownerReferences')?.list?.element.map?.atomic,
          metadata?.get('managedFields')?.list?.type,
        ],
        ['string', 'set', true, 'atomic'],
      );
    }
    assert.equal(
      of({ type: 'object', properties: { a: { type: 'string' } } }).map?.fields.has('metadata'),
      false,
    );
  });

  it('a schema that contains itself has a view as well', () => {
    const node = struct('t.v1.Node', (self) => ({ name: string(), children: list(use(self, {})) }));
    const view = mergeSchemaOf(node);
    assert.equal(view.map?.fields.get('children')?.list?.element.map?.fields.has('children'), true);
    assert.equal(mergeSchemaOf(node), view);
  });
});

describe('how a built-in kind merges', () => {
  const Item = struct('t.v1.Item', { type: string({ required: true }), note: string() });
  const schema = mergeSchemaOf(
    kind('t.v1.Thing', {
      raw: raw(),
      any: json(),
      amount: quantity(),
      at: time(),
      port: intOrString(),
      byStrategy: list(Item, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      values: list(string(), { patchStrategy: 'merge' }),
      byType: list(Item, { listType: 'atomic', patchStrategy: 'merge', patchMergeKey: 'type' }),
    }),
  );
  const field = (name: string): MergeSchema => schema.map?.fields.get(name) as MergeSchema;

  it('a raw extension is a whole, JSON what the value tells, times and quantities any scalar', () => {
    assert.equal(field('raw'), UNTYPED_ATOMIC);
    assert.equal(field('any'), DEDUCED);
    for (const name of ['amount', 'at', 'port']) {
      assert.deepEqual(
        [field(name).scalar, field(name).map, field(name).list],
        ['untyped', undefined, undefined],
      );
    }
  });

  it('the list type tells how lists merge; without it the patch strategy does', () => {
    assert.deepEqual(field('byStrategy').list?.keys, [
      { name: 'type', quoted: '"type"', default: '' },
    ]);
    assert.equal(field('values').list?.type, 'set');
    assert.equal(field('byType').list?.type, 'atomic');
    assert.deepEqual(field('byType').strategy, { merge: true, replace: false, mergeKey: 'type' });
  });
});
