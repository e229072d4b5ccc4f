import assert from 'node:assert/strict';
import { deepClone, type JsonObject } from '../../api/json.ts';
import { created, problems, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import { configMapDefinition as definition } from './config-map.ts';

const MIB = 1024 * 1024;

function configMap(fields: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...fields };
}

describe('ConfigMap', () => {
  testKept(definition, {
    'texts and bytes': [
      configMap({ data: { 'a.conf': 'x\n', '.a': '' }, binaryData: { logo: 'aG\nk=' } }),
      configMap({ data: { 'a.conf': 'x\n', '.a': '' }, binaryData: { logo: 'aGk=' } }),
    ],
    'no data': [configMap({ data: {} }), configMap({})],
    'immutable that is false': [configMap({ immutable: false }), configMap({ immutable: false })],
    'a key of 253 characters': [
      configMap({ data: { ['k'.repeat(253)]: '' } }),
      configMap({ data: { ['k'.repeat(253)]: '' } }),
    ],
    'a mebibyte, counted in bytes of the values': [
      configMap({ data: { a: 'ü'.repeat(MIB / 2 - 1) }, binaryData: { b: 'aGk=' } }),
      configMap({ data: { a: 'ü'.repeat(MIB / 2 - 1) }, binaryData: { b: 'aGk=' } }),
    ],
  });

  testRefused(definition, {
    'a key with a slash': [configMap({ data: { 'a/b': '' } }), ['FieldValueInvalid data[a/b]']],
    'a key of 254 characters': [
      configMap({ data: { ['k'.repeat(254)]: '' } }),
      [`FieldValueInvalid data[${'k'.repeat(254)}]`],
    ],
    'the key ..': [configMap({ binaryData: { '..': '' } }), ['FieldValueInvalid binaryData[..]']],
    'a key in both': [
      configMap({ data: { a: '' }, binaryData: { a: '' } }),
      ['FieldValueInvalid data[a]'],
    ],
    'more than a mebibyte': [
      configMap({ data: { a: 'x'.repeat(MIB - 1) }, binaryData: { b: 'aGk=' } }),
      ['FieldValueTooLong '],
    ],
  });

  describe('updates', () => {
    const put = (old: JsonObject, fields: JsonObject): string[] =>
      problems(updated(definition, created(definition, configMap(old)).object, configMap(fields)));

    it('may change everything', () => {
      assert.deepEqual(put({ data: { a: '1' } }, { data: { b: '2' }, immutable: true }), []);
    });

    it('of what is immutable may change nothing of the data, and not immutable', () => {
      const old = { data: { a: '1' }, binaryData: { b: 'aGk=' }, immutable: true };
      assert.deepEqual(put(old, deepClone(old)), []);
      assert.deepEqual(put(old, { data: { a: '2' }, binaryData: { c: 'aGk=' } }), [
        'FieldValueForbidden immutable',
        'FieldValueForbidden data',
        'FieldValueForbidden binaryData',
      ]);
    });
  });

  it('shows how many values it has', () => {
    const { object } = created(definition, configMap({ data: { a: '' }, binaryData: { b: '' } }));
    assert.equal(rowOf(definition, object)['Data'], 2);
  });
});
