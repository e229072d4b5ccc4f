import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepClone, type JsonObject, type JsonValue } from '../api/json.ts';
import { applyDefaults } from './default.ts';
import { schemaFromJson } from './from-json.ts';
import { decodeMetadata } from './metadata.ts';
import { needsWork } from './needs-work.ts';
import { prune } from './prune.ts';
import { anyJson, resource } from './testing/arbitraries.ts';
import { MAX_UNKNOWN_FIELDS, UnknownFields } from './unknown-fields.ts';

/** A schema with a `spec` of these properties. */
function widget(properties: JsonObject): JsonObject {
  return { type: 'object', properties: { spec: { type: 'object', properties } } };
}

function pruned(schemaJson: JsonObject, value: JsonObject): { value: JsonObject; paths: string[] } {
  const copy = deepClone(value);
  const unknown = new UnknownFields();
  const schema = schemaFromJson(schemaJson);
  prune(copy, schema, { isRoot: true, unknown });
  const silent = deepClone(value);
  prune(silent, schema, { isRoot: true });
  assert.deepEqual(silent, copy);
  return { value: copy, paths: unknown.paths() };
}

const OPEN = { 'x-cluster-preserve-unknown-fields': true };

describe('prune', () => {
  it('drops what the schema does not have, at every level, and names it', () => {
    const schema = widget({
      a: { type: 'string' },
      o: { type: 'object', properties: { b: { type: 'string' } } },
      l: { type: 'array', items: { type: 'object', properties: { c: { type: 'string' } } } },
      m: {
        type: 'object',
        additionalProperties: { type: 'object', properties: { d: { type: 'string' } } },
      },
      free: { type: 'object' },
    });
    const result = pruned(schema, {
      apiVersion: 'v1',
      kind: 'W',
      metadata: { nick: 'stays: metadata is decoded elsewhere' },
      extra: 1,
      spec: {
        a: 'x',
        zzz: 1,
        o: { b: 'y', yyy: { deep: true } },
        l: [{ c: 'z' }, { xxx: [] }],
        m: { k: { d: 'w', vvv: null } },
        free: { k: 'v' },
      },
    });
    assert.deepEqual(result.value['spec'], {
      a: 'x',
      o: { b: 'y' },
      l: [{ c: 'z' }, {}],
      m: { k: { d: 'w' } },
      free: {},
    });
    assert.deepEqual(result.value['metadata'], { nick: 'stays: metadata is decoded elsewhere' });
    assert.deepEqual(result.paths, [
      'extra',
      'spec.free.k',
      'spec.l[1].xxx',
      'spec.m.k.vvv',
      'spec.o.yyy',
      'spec.zzz',
    ]);
  });

  it('keeps everything below preserve-unknown, until the next properties', () => {
    const schema = widget({
      open: { type: 'object', ...OPEN },
      part: {
        type: 'object',
        properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
        ...OPEN,
      },
      list: { type: 'array', items: { type: 'object', properties: { a: OPEN } }, ...OPEN },
      any: OPEN,
    });
    const spec = {
      open: { b: { c: [{ d: null }] } },
      part: { x: { y: 1 }, known: { a: 'x', zzz: 1 } },
      list: [{ a: { b: 1 }, kept: 1 }],
      any: [1, { three: 3 }],
    };
    const result = pruned(schema, { spec });
    assert.deepEqual(result.value['spec'], {
      ...spec,
      part: { x: { y: 1 }, known: { a: 'x' } },
    });
    assert.deepEqual(result.paths, ['spec.part.known.zzz']);
  });

  it('keeps the keys of maps, and empties values of which nothing is known', () => {
    const schema = widget({
      open: { type: 'object', additionalProperties: true },
      closed: { type: 'object', additionalProperties: false },
    });
    const result = pruned(schema, {
      spec: { open: { a: 1, c: { d: [1] }, l: [{ e: 1 }] }, closed: { a: { b: 1 } } },
    });
    assert.deepEqual(result.value['spec'], {
      open: { a: 1, c: {}, l: [{}] },
      closed: { a: {} },
    });
    assert.deepEqual(result.paths, ['spec.closed.a.b', 'spec.open.c.d', 'spec.open.l[0].e']);
  });

  it('keeps type and metadata of an embedded resource', () => {
    const schema = widget({
      tpl: {
        type: 'object',
        'x-cluster-embedded-resource': true,
        properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    });
    const tpl = { apiVersion: 'v1', kind: 'Pod', metadata: { any: 1 }, spec: { a: 'x' } };
    const result = pruned(schema, {
      spec: { tpl: { ...tpl, spec: { a: 'x', b: 'y' }, status: {} } },
    });
    assert.deepEqual(result.value['spec'], { tpl });
    assert.deepEqual(result.paths, ['spec.tpl.spec.b', 'spec.tpl.status']);
  });

  it('takes __proto__ for a key like any other', () => {
    const schema = widget({ m: { type: 'object', additionalProperties: { type: 'string' } } });
    const result = pruned(schema, {
      spec: JSON.parse('{"__proto__":1,"m":{"__proto__":"x"}}') as JsonObject,
    });
    assert.equal(JSON.stringify(result.value['spec']), '{"m":{"__proto__":"x"}}');
    assert.deepEqual(result.paths, ['spec.__proto__']);
  });

  it('names a bounded number of fields', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 1]));
    assert.equal(pruned({ type: 'object' }, many).paths.length, MAX_UNKNOWN_FIELDS);
  });
});

describe('pruning, defaulting and needsWork', () => {
  /** needsWork against what it stands for: does the work change anything? */
  function checkAgreement(object: JsonObject, schemaJson: JsonObject): void {
    const schema = schemaFromJson(schemaJson);
    const worked = deepClone(object);
    applyDefaults(worked, schema);
    decodeMetadata(worked, schema, { dropInvalid: true });
    prune(worked, schema, { isRoot: true });
    const isChanged = JSON.stringify(sortable(worked)) !== JSON.stringify(sortable(object));
    assert.equal(needsWork(object, schema), isChanged);
    assert.equal(needsWork(worked, schema), false, 'the work is done at once');
  }
  const sortable = (value: JsonValue): JsonValue =>
    typeof value === 'bigint'
      ? `${value}n`
      : Array.isArray(value)
        ? value.map(sortable)
        : typeof value === 'object' && value !== null
          ? Object.entries(value).map(([k, v]) => [k, sortable(v)])
          : value;

  it('agree on valid objects and on any JSON, for generated schemas', () => {
    fc.assert(
      fc.property(resource, anyJson, (sample, junk) => {
        checkAgreement(sample.value, sample.schema);
        checkAgreement({ ...sample.value, spec: junk }, sample.schema);
      }),
      { numRuns: 500 },
    );
  });

  it('agree on embedded resources, preserve-unknown and nulls', () => {
    const embedded = {
      type: 'object',
      'x-cluster-embedded-resource': true,
      properties: {
        metadata: {
          type: 'object',
          properties: { name: { type: 'string', default: 'x' } },
          default: {},
        },
      },
    };
    const schema = widget({
      tpl: embedded,
      list: { type: 'array', ...OPEN, items: { type: 'object', properties: { a: embedded } } },
      any: { type: 'object', additionalProperties: true },
    });
    const values: JsonObject[] = [
      { tpl: { kind: 'A', metadata: { name: 'a', labels: { b: 'c' } } } },
      { tpl: { kind: 'A' } },
      { tpl: { kind: 'A', metadata: { labels: {} } } },
      { list: [{ b: 1, a: { metadata: { name: 'x' }, c: 1 } }] },
      { list: [{ b: { c: 1 }, a: { metadata: { name: 'x' } } }, null] },
      { any: { a: {}, b: [1], c: null } },
      { any: { a: { b: 1 } } },
      { tpl: null },
    ];
    for (const spec of values) checkAgreement({ spec }, schema);
  });
});
