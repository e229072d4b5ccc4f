import assert from 'node:assert/strict';
import { toOpenApiV2 } from './openapi-v2.ts';

describe('toOpenApiV2', () => {
  it('keeps what OpenAPI 2 knows, drops junctors and defaults', () => {
    const schema = {
      type: 'object',
      description: 'd',
      required: ['a'],
      properties: {
        a: { type: 'string', enum: ['x'], default: 'x', anyOf: [{ minLength: 1 }] },
        n: { type: 'integer', format: 'int32', minimum: 1, 'x-kubernetes-validations': [] },
        m: { type: 'object', additionalProperties: { type: 'string', not: {} } },
        l: { type: 'array', items: { 'x-kubernetes-int-or-string': true, oneOf: [{}] } },
      },
    };
    const before = structuredClone(schema);
    assert.deepEqual(toOpenApiV2(schema), {
      type: 'object',
      description: 'd',
      required: ['a'],
      properties: {
        a: { type: 'string', enum: ['x'] },
        n: { type: 'integer', format: 'int32', minimum: 1, 'x-kubernetes-validations': [] },
        m: { type: 'object', additionalProperties: { type: 'string' } },
        l: { type: 'array', items: { 'x-kubernetes-int-or-string': true } },
      },
    });
    assert.deepEqual(schema, before);
  });

  it('says nothing of the type of what may be null or unknown', () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    assert.deepEqual(toOpenApiV2({ type: 'object', nullable: true, properties: { a: {} } }), {});
    assert.deepEqual(toOpenApiV2({ type: 'object', ...open, properties: { a: {} } }), open);
    assert.deepEqual(toOpenApiV2({ type: 'array', ...open, items: {} }), open);
    assert.deepEqual(toOpenApiV2({ type: 'array' }), {});
    assert.deepEqual(
      toOpenApiV2({
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
      }),
      { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
    );
    assert.deepEqual(
      toOpenApiV2({
        type: 'object',
        ...open,
        required: ['a'],
        properties: { a: { type: 'string', nullable: true } },
      }),
      { ...open, required: ['a'] },
    );
  });

  it('writes references as OpenAPI 2 does, next to their description', () => {
    const $ref = '#/components/schemas/io.cluster.meta.v1.ObjectMeta';
    const expected = { description: 'd', $ref: '#/definitions/io.cluster.meta.v1.ObjectMeta' };
    assert.deepEqual(toOpenApiV2({ description: 'd', allOf: [{ $ref }] }), expected);
    assert.deepEqual(toOpenApiV2({ description: 'd', $ref }), expected);
  });
});
