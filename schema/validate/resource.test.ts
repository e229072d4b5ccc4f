import assert from 'node:assert/strict';
import type { FieldError } from '../../api/field-error.ts';
import type { JsonObject } from '../../api/json.ts';
import { schemaFromJson } from '../from-json.ts';
import { OPEN, summary } from '../testing/checks.ts';
import { blocksRules, validateResource } from './validate.ts';

describe('validateResource', () => {
  const schema = schemaFromJson({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          set: { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' },
          maps: {
            type: 'object',
            additionalProperties: {
              type: 'array',
              items: { type: 'object', properties: { a: {}, b: {} } },
              'x-cluster-list-type': 'map',
              'x-cluster-list-map-keys': ['a', 'b'],
            },
          },
          tpl: { type: 'object', 'x-cluster-embedded-resource': true, ...OPEN },
          list: {
            type: 'array',
            items: { type: 'object', 'x-cluster-embedded-resource': true, ...OPEN },
          },
        },
      },
      status: { type: 'object', properties: { n: { type: 'integer', maximum: 1 } } },
    },
    required: ['spec'],
  });
  const of = (spec: JsonObject, old?: JsonObject): string[] =>
    summary(
      validateResource({ spec }, schema, { old: old === undefined ? undefined : { spec: old } }),
    );

  it('wants unique items, reporting each repetition once', () => {
    assert.deepEqual(of({ set: ['a', 'b', 'a', 'a', 'b'] }), [
      'Duplicate spec.set[2]',
      'Duplicate spec.set[4]',
    ]);
    assert.deepEqual(of({ maps: { k: [{ a: 1 }, { a: 1, b: 2 }, { a: 1, c: 3 }, {}, {}] } }), [
      'Duplicate spec.maps[k][2]',
      'Duplicate spec.maps[k][4]',
    ]);
    assert.deepEqual(of({ maps: { k: ['x', { a: 1 }] } }), [
      'Invalid spec.maps[k][0]',
      'TypeInvalid spec.maps.k[0]',
    ]);
  });

  it('lets duplicates pass when there were some before', () => {
    assert.deepEqual(of({ set: ['b', 'b'] }, { set: ['a', 'a'] }), []);
    assert.deepEqual(of({ set: ['b', 'b'] }, { set: ['a', 'b'] }), ['Duplicate spec.set[1]']);
  });

  it('checks type and metadata of embedded resources, on update as well', () => {
    const good = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A_B' } };
    assert.deepEqual(of({ tpl: good, list: [good] }), []);
    assert.deepEqual(of({ tpl: {} }, { tpl: {} }), [
      'Required spec.tpl.apiVersion',
      'Required spec.tpl.kind',
    ]);
    assert.deepEqual(of({ tpl: { ...good, apiVersion: 'a/b/c', kind: 'Po d' } }), [
      'Invalid spec.tpl.apiVersion',
      'Invalid spec.tpl.kind',
    ]);
    assert.deepEqual(of({ tpl: { ...good, kind: '' }, list: [good, { ...good, kind: 5 }] }), [
      'Invalid spec.list[1].kind',
      'Invalid spec.tpl.kind',
    ]);
    const meta = { namespace: 'X', labels: { 'a b': 'x' }, annotations: { '!': '' } };
    assert.deepEqual(of({ tpl: { ...good, metadata: meta } }), [
      'Invalid spec.tpl.metadata.annotations',
      'Invalid spec.tpl.metadata.labels',
      'Invalid spec.tpl.metadata.namespace',
    ]);
  });

  it('looks at status only when only status is written', () => {
    const object = { status: { n: 5 } };
    assert.deepEqual(summary(validateResource(object, schema)), [
      'Invalid status.n',
      'Required spec',
    ]);
    const statusOnly = true;
    assert.deepEqual(summary(validateResource(object, schema, { statusOnly })), [
      'Invalid status.n',
    ]);
    assert.deepEqual(
      validateResource(object, schema, { statusOnly, old: { status: { n: 5 } } }),
      [],
    );
    assert.deepEqual(validateResource({}, schema, { statusOnly }), []);
  });

  it('says which errors keep rules from being evaluated', () => {
    const error = (type: FieldError['type']): FieldError => ({ type, path: '', detail: '' });
    assert.equal(blocksRules([error('FieldValueInvalid'), error('FieldValueDuplicate')]), false);
    assert.equal(blocksRules([error('FieldValueInvalid'), error('FieldValueRequired')]), true);
    assert.equal(blocksRules([error('FieldValueTypeInvalid')]), true);
  });
});
