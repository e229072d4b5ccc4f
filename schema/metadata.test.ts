import assert from 'node:assert/strict';
import { fieldErrorText } from '../api/field-error.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import { schemaFromJson } from './from-json.ts';
import { decodeMetadata } from './metadata.ts';
import { UnknownFields } from './unknown-fields.ts';

const embedded = {
  type: 'object',
  'x-cluster-embedded-resource': true,
  'x-cluster-preserve-unknown-fields': true,
};
const schema = schemaFromJson({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        tpl: embedded,
        list: { type: 'array', items: embedded },
        map: { type: 'object', additionalProperties: embedded },
      },
    },
  },
});

function decode(value: JsonObject, dropInvalid = false): { error?: string; unknown: string[] } {
  const unknown = new UnknownFields();
  const error = decodeMetadata(value, schema, { isRoot: true, dropInvalid, unknown });
  return {
    ...(error === undefined ? {} : { error: fieldErrorText(error) }),
    unknown: unknown.paths(),
  };
}

describe('decodeMetadata', () => {
  it('drops and names unknown fields, of the object and of embedded ones', () => {
    const value: JsonObject = {
      metadata: { name: 'a', nickname: 'x', labels: null, creationTimestamp: null },
      spec: {
        tpl: { kind: 'Pod', metadata: { name: 'x', nick: 'y' }, any: { metadata: { kept: 1 } } },
        list: [{}, { metadata: { ownerReferences: [{ foo: 1 }] } }],
      },
    };
    assert.deepEqual(decode(value), {
      unknown: [
        'metadata.nickname',
        'spec.list[1].metadata.ownerReferences[0].foo',
        'spec.tpl.metadata.nick',
      ],
    });
    assert.deepEqual(value, {
      metadata: { name: 'a' },
      spec: {
        tpl: { kind: 'Pod', metadata: { name: 'x' }, any: { metadata: { kept: 1 } } },
        list: [
          {},
          { metadata: { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] } },
        ],
      },
    });
  });

  it('refuses what does not decode, with its path', () => {
    const cases: [JsonObject, RegExp][] = [
      [{ kind: 5 }, /^kind: Invalid value: 5: must be a string$/],
      [{ spec: { tpl: { kind: 5 } } }, /^spec\.tpl\.kind: Invalid value: 5: must be a string$/],
      [{ spec: { list: [{ apiVersion: {} }] } }, /^spec\.list\[0\]\.apiVersion: Invalid value/],
      [{ spec: { map: { k: { metadata: 1 } } } }, /^spec\.map\[k\]\.metadata: Invalid value: 1/],
      [
        { metadata: { labels: { a: 1 } } },
        /^metadata: .*metadata\.labels\.a: must be a string, not a number$/,
      ],
    ];
    for (const [value, pattern] of cases) assert.match(decode(value).error ?? '', pattern);
  });

  it('drops what is malformed in stored objects, field by field', () => {
    const value: JsonObject = {
      kind: 5,
      metadata: { name: 'a', labels: 'x', generation: 1.5, uid: 'u', nick: 1 },
    };
    assert.deepEqual(decode(value, true), { unknown: [] });
    assert.deepEqual(value, { metadata: { name: 'a', uid: 'u' } });
    const hopeless: JsonObject = { metadata: 'x' };
    assert.deepEqual(decode(hopeless, true), { unknown: [] });
    assert.deepEqual(hopeless, { metadata: 'x' });
  });

  it('ignores values that are not resources', () => {
    const value: JsonValue = { metadata: { nick: 1 } };
    assert.equal(decodeMetadata(value, schema), undefined);
    assert.deepEqual(value, { metadata: { nick: 1 } });
  });
});
