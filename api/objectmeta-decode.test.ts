import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonValue } from './json.ts';
import { parseJson } from './json-parse.ts';
import type { ObjectMeta } from './object.ts';
import { decodeObjectMeta } from './objectmeta-decode.ts';

const decode = (value: JsonValue | undefined): { meta: ObjectMeta; unknown: readonly string[] } => {
  const decoded = decodeObjectMeta(value);
  if ('error' in decoded) assert.fail(decoded.error);
  return decoded;
};
const errorOf = (value: JsonValue): string => {
  const decoded = decodeObjectMeta(value);
  return 'error' in decoded ? decoded.error : 'no error';
};

describe('decodeObjectMeta', () => {
  it('keeps everything that is well-formed', () => {
    const value = {
      name: 'a',
      generateName: 'a-',
      namespace: 'ns',
      selfLink: '/x',
      uid: 'u',
      resourceVersion: '7',
      generation: 2,
      creationTimestamp: '2024-01-02T03:04:05Z',
      deletionTimestamp: '2024-01-02T03:04:06Z',
      deletionGracePeriodSeconds: 0,
      labels: { a: 'b', c: '' },
      annotations: { d: 'e\n' },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'K',
          name: 'n',
          uid: 'u',
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
      finalizers: ['x/y'],
      managedFields: [
        {
          manager: 'm',
          operation: 'Apply',
          apiVersion: 'v1',
          time: '2024-01-02T03:04:05Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': {} },
          subresource: 'status',
        },
      ],
    };
    assert.deepEqual(decode(value), { meta: value, unknown: [] });
  });

  it('reads null, empty texts, maps and lists as absent', () => {
    for (const value of [undefined, null, {}]) assert.deepEqual(decode(value).meta, {});
    const empty = {
      name: '',
      labels: {},
      annotations: null,
      ownerReferences: [],
      finalizers: null,
    };
    const more = { managedFields: [], generation: 0, uid: null, creationTimestamp: null };
    assert.deepEqual(decode({ ...empty, ...more }), { meta: {}, unknown: [] });
    assert.deepEqual(decode({ labels: { a: null } }).meta, { labels: { a: '' } });
    assert.deepEqual(decode({ managedFields: [{}] }).meta, { managedFields: [{}] });
    assert.deepEqual(decode({ ownerReferences: [{}] }).meta, {
      ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }],
    });
  });

  it('writes times in UTC', () => {
    const { meta } = decode({ creationTimestamp: '2024-01-02T03:04:05.9+02:00' });
    assert.equal(meta.creationTimestamp, '2024-01-02T01:04:05Z');
    assert.deepEqual(decode({ deletionTimestamp: '0001-01-01T00:00:00Z' }).meta, {});
  });

  it('reports fields that metadata does not have', () => {
    const { meta, unknown } = decode({
      name: 'a',
      owner: 'me',
      Name: 'b',
      clusterName: '',
      ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', extra: 1 }],
      managedFields: [{ fields: {} }],
    });
    assert.deepEqual(unknown, [
      'metadata.owner',
      'metadata.Name',
      'metadata.clusterName',
      'metadata.ownerReferences[0].extra',
      'metadata.managedFields[0].fields',
    ]);
    assert.deepEqual(Object.keys(meta), ['name', 'ownerReferences', 'managedFields']);
    const embedded = decodeObjectMeta({ nick: 1 }, 'spec.template.metadata');
    assert.deepEqual('unknown' in embedded && embedded.unknown, ['spec.template.metadata.nick']);
  });

  it('says which field has a wrong type', () => {
    const cases: [JsonValue, string][] = [
      ['a', 'cannot unmarshal string into field metadata of type object'],
      [[], 'cannot unmarshal array into field metadata of type object'],
      [{ name: 12 }, 'cannot unmarshal number into field metadata.name of type string'],
      [
        { resourceVersion: 1n },
        'cannot unmarshal number into field metadata.resourceVersion of type string',
      ],
      [{ labels: [] }, 'cannot unmarshal array into field metadata.labels of type object'],
      [
        { labels: { a: true } },
        'cannot unmarshal boolean into field metadata.labels[a] of type string',
      ],
      [
        { annotations: { a: {} } },
        'cannot unmarshal object into field metadata.annotations[a] of type string',
      ],
      [{ finalizers: 'x' }, 'cannot unmarshal string into field metadata.finalizers of type array'],
      [
        { finalizers: ['x', 1] },
        'cannot unmarshal number into field metadata.finalizers[1] of type string',
      ],
      [
        { ownerReferences: [1] },
        'cannot unmarshal number into field metadata.ownerReferences[0] of type object',
      ],
      [
        { ownerReferences: [{ controller: 'yes' }] },
        'cannot unmarshal string into field metadata.ownerReferences[0].controller of type bool',
      ],
      [
        { managedFields: 'none' },
        'cannot unmarshal string into field metadata.managedFields of type array',
      ],
      [{ generation: 1.5 }, 'cannot unmarshal number into field metadata.generation of type int64'],
      [
        { generation: 1e300 },
        'cannot unmarshal number into field metadata.generation of type int64',
      ],
      [{ generation: '1' }, 'cannot unmarshal string into field metadata.generation of type int64'],
    ];
    for (const [value, error] of cases) assert.equal(errorOf(value), error);
    assert.match(
      errorOf({ creationTimestamp: 'yesterday' }),
      /^metadata\.creationTimestamp: parsing/,
    );
    assert.match(errorOf({ creationTimestamp: '' }), /^metadata\.creationTimestamp: parsing/);
    assert.match(
      errorOf({ managedFields: [{ time: 'now' }] }),
      /managedFields\[0\]\.time: parsing/,
    );
  });

  it('is not fooled by keys of the prototype', () => {
    const value = parseJson(
      '{"labels":{"__proto__":"x","constructor":"y"},"toString":1,"__proto__":{"name":"z"}}',
    ).value;
    const { meta, unknown } = decode(value);
    assert.deepEqual(Object.entries(meta.labels ?? {}), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    assert.equal(meta.name, undefined);
    assert.deepEqual(unknown, ['metadata.toString', 'metadata.__proto__']);
  });

  it('never throws, changes nothing and is stable (property)', () => {
    const leaf = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.string(),
      fc.constantFrom('2024-01-02T03:04:05Z', 'Apply'),
      fc.dictionary(fc.string(), fc.string()),
      fc.array(fc.string(), { maxLength: 2 }),
      fc.array(fc.dictionary(fc.constantFrom('uid', 'controller', 'time', 'x'), fc.boolean())),
    ) as fc.Arbitrary<JsonValue>;
    const name = fc.constantFrom(
      'name',
      'labels',
      'annotations',
      'generation',
      'finalizers',
      'ownerReferences',
      'managedFields',
      'creationTimestamp',
      'other',
    );
    fc.assert(
      fc.property(fc.dictionary(name, leaf, { noNullPrototype: true }), (value) => {
        const before = JSON.stringify(value);
        const decoded = decodeObjectMeta(value);
        assert.equal(JSON.stringify(value), before);
        if ('error' in decoded) return;
        const again = decode(decoded.meta as JsonValue);
        assert.deepEqual(again, { meta: decoded.meta, unknown: [] });
      }),
      { numRuns: 500 },
    );
  });
});
