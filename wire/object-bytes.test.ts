import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../api/json.ts';
import { canonicalJson } from '../api/json-write.ts';
import { metadataRange } from '../storage/metadata-range.ts';
import { lookAt } from '../registry/look-at.ts';
import { beginsWith, metadataOf, typeMetaPrefix } from './object-bytes.ts';
import { entryOf, leases } from './testing.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('managedFields', '"managedFields":[', '\\', '\\"', '{', '}', '[', ']', '",'),
);
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom(null, true, 1, 9007199254740993n),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(text, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const object = fc.record(
  {
    metadata: fc.record(
      {
        annotations: fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true }),
        managedFields: fc.array(json, { maxLength: 3 }),
        name: text,
        ownerReferences: fc.array(json, { maxLength: 2 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    spec: json,
  },
  { requiredKeys: ['metadata'], noNullPrototype: true },
) as fc.Arbitrary<JsonObject>;

function bytesOf(value: JsonObject): Buffer {
  return Buffer.from(canonicalJson({ apiVersion: 'example.com/v1', kind: 'Gadget', ...value }));
}

describe('object bytes', () => {
  it('are cut where metadata is (property)', () => {
    fc.assert(
      fc.property(object, (value) => {
        const bytes = bytesOf(value);
        const { metadata } = JSON.parse(bytes.toString()) as JsonObject;
        assert.deepEqual(JSON.parse(metadataOf(bytes).toString()), metadata);
      }),
      { numRuns: 1000 },
    );
  });

  it('can be looked at without managed fields, or with all there is (property)', () => {
    fc.assert(
      fc.property(object, (value) => {
        const bytes = bytesOf(value);
        const range = metadataRange(bytes);
        const whole = JSON.parse(bytes.toString()) as { metadata: JsonObject };
        const { managedFields: _, ...metadata } = whole.metadata;
        const looked = lookAt(bytes, range, false);
        // An empty list of them is not worth cutting out.
        if (range.managedEnd > 0) assert.deepEqual(looked, { ...whole, metadata });
        else assert.deepEqual(looked, whole);
        const exact = { apiVersion: 'example.com/v1', kind: 'Gadget', ...value };
        const everything = lookAt(bytes, range, true);
        assert.equal(canonicalJson(everything), canonicalJson(exact));
      }),
      { numRuns: 1000 },
    );
  });

  it('of something else are refused', () => {
    assert.throws(() => metadataOf(Buffer.from('{}')));
  });

  it('begin with what every object of a resource begins with', () => {
    const resource = leases();
    const { bytes } = entryOf(resource, 'a', 1n);
    const prefix = typeMetaPrefix(resource);
    assert.equal(prefix.toString(), '{"apiVersion":"coordination.cluster.io/v1","kind":"Lease",');
    assert.equal(beginsWith(bytes, prefix), true);
    assert.equal(beginsWith(prefix, prefix), false);
    assert.equal(beginsWith(bytes.subarray(1), prefix), false);
    assert.equal(typeMetaPrefix(resource), prefix);
  });
});
