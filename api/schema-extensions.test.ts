import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepEqual, type JsonObject, type JsonValue } from './json.ts';
import { parseJson } from './json-parse.ts';
import { extensionKey, mapSchemaExtensions } from './schema-extensions.ts';

const json = (value: object): JsonObject => parseJson(JSON.stringify(value)).value as JsonObject;

describe('extensions of schemas', () => {
  it('renames extension keys of schemas at every level', () => {
    const kubernetes = json({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        list: { type: 'array', 'x-kubernetes-list-type': 'set', items: { 'x-kubernetes-a': 1 } },
        map: { additionalProperties: { 'x-kubernetes-int-or-string': true } },
        open: { additionalProperties: true },
      },
      patternProperties: { '^x': { 'x-kubernetes-b': 1 } },
      definitions: { d: { 'x-kubernetes-c': 1 } },
      dependencies: { a: ['x-kubernetes-d'], b: { 'x-kubernetes-e': 1 } },
      items: [{ 'x-kubernetes-f': 1 }],
      anyOf: [{ not: { oneOf: [{ allOf: [{ 'x-kubernetes-g': 1 }] }] } }],
    });
    const neutral = JSON.parse(
      JSON.stringify(kubernetes)
        .replaceAll('x-kubernetes-', 'x-cluster-')
        .replace('["x-cluster-d"]', '["x-kubernetes-d"]'), // names of properties, not keywords
    ) as JsonObject;
    assert.deepEqual(mapSchemaExtensions(kubernetes, 'neutral'), neutral);
    assert.deepEqual(mapSchemaExtensions(neutral, 'kubernetes'), kubernetes);
    assert.equal(mapSchemaExtensions(neutral, 'neutral'), neutral);
  });

  it('leaves user data unchanged', () => {
    const schema = json({
      properties: {
        'x-kubernetes-own': { type: 'string', default: { 'x-kubernetes-a': 1 } },
        properties: { enum: [{ 'x-kubernetes-b': 1 }], example: { 'x-kubernetes-c': 1 } },
        default: { type: 'object', const: { items: { 'x-kubernetes-d': 1 } } },
      },
      required: ['x-kubernetes-own'],
      'x-cluster-validations': [{ rule: 'true', message: { 'x-kubernetes-e': 1 } }],
    });
    assert.equal(mapSchemaExtensions(schema, 'neutral'), schema);
    const own = mapSchemaExtensions(
      parseJson('{"x-kubernetes-a":1,"properties":{"__proto__":{"x-kubernetes-b":2}}}')
        .value as JsonObject,
      'neutral',
    );
    assert.equal(
      JSON.stringify(own),
      '{"x-cluster-a":1,"properties":{"__proto__":{"x-cluster-b":2}}}',
    );
  });

  it('prefers the spelling asked for when a schema has both', () => {
    for (const text of [
      '{"x-cluster-list-type":"set","x-kubernetes-list-type":"map"}',
      '{"x-kubernetes-list-type":"map","x-cluster-list-type":"set"}',
    ]) {
      assert.deepEqual(mapSchemaExtensions(parseJson(text).value as JsonObject, 'neutral'), {
        'x-cluster-list-type': 'set',
      });
    }
  });

  it('round-trips to the same schema (property)', () => {
    const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.dictionary(
        fc.constantFrom(
          'type',
          'x-cluster-a',
          'x-cluster-list-type',
          'default',
          'properties',
          'items',
        ),
        fc.oneof(
          { maxDepth: 4, withCrossShrink: true },
          fc.constantFrom<JsonValue>('x', 1, true),
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 2 }),
        ),
        { noNullPrototype: true },
      ),
    }));
    fc.assert(
      fc.property(schema, (s) => {
        const before = JSON.stringify(s);
        const there = mapSchemaExtensions(s, 'kubernetes');
        assert.ok(deepEqual(mapSchemaExtensions(there, 'neutral'), s));
        assert.equal(JSON.stringify(s), before);
      }),
    );
  });

  it('recognises extension keys of one level', () => {
    assert.equal(extensionKey('x-kubernetes-map-type', 'neutral'), 'x-cluster-map-type');
    assert.equal(extensionKey('x-cluster-map-type', 'kubernetes'), 'x-kubernetes-map-type');
    assert.equal(extensionKey('x-other', 'neutral'), 'x-other');
  });
});
