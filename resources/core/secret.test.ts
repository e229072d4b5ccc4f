import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { textAt } from '../columns.ts';
import {
  created,
  problems,
  rowOf,
  servedVersion,
  testKept,
  testRefused,
  updated,
} from '../testing/harness.ts';
import { secretDefinition as definition } from './secret.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function secret(fields: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, type: 'Opaque', ...fields };
}
const ofType = (type: string, data: JsonObject = {}): JsonObject =>
  secret({ type: `kubernetes.io/${type}`, data });

describe('Secret', () => {
  testKept(definition, {
    'data, with the type Opaque unless set': [
      secret({ type: '', data: { a: 'aGk=' } }),
      secret({ data: { a: 'aGk=' } }),
    ],
    'texts as data, over what data says of the key': [
      secret({ data: { a: 'aGk=', b: 'aGk=' }, stringData: { a: 'ü', c: '' } }),
      secret({ data: { a: base64('ü'), b: 'aGk=', c: '' } }),
    ],
    'a type of a user': [secret({ type: 'example.com/x' }), secret({ type: 'example.com/x' })],
    ...Object.fromEntries(
      [
        ofType('tls', { 'tls.crt': '', 'tls.key': '' }),
        ofType('basic-auth', { password: '' }),
        ofType('ssh-auth', { 'ssh-privatekey': 'aGk=' }),
        ofType('dockercfg', { '.dockercfg': base64('{"a":{}}') }),
        ofType('dockerconfigjson', { '.dockerconfigjson': base64('{"auths":{}}') }),
        {
          ...secret({ type: 'kubernetes.io/service-account-token' }),
          metadata: { name: 'a', annotations: { 'kubernetes.io/service-account.name': 'x' } },
        },
      ].map((object: JsonObject) => [`what ${textAt(object, 'type')} requires`, [object, object]]),
    ),
  });

  testRefused(definition, {
    'a key with a space': [secret({ stringData: { 'a b': '' } }), ['FieldValueInvalid data[a b]']],
    'more than a mebibyte': [
      secret({ data: { a: base64('x'.repeat(1024 * 1024)), b: 'aGk=' } }),
      ['FieldValueTooLong data'],
    ],
    'tls without certificate and key': [
      ofType('tls'),
      ['FieldValueRequired data[tls.crt]', 'FieldValueRequired data[tls.key]'],
    ],
    'basic-auth with neither name nor password': [
      ofType('basic-auth', { other: '' }),
      ['FieldValueRequired data[username]', 'FieldValueRequired data[password]'],
    ],
    'ssh-auth with an empty key': [
      ofType('ssh-auth', { 'ssh-privatekey': '' }),
      ['FieldValueRequired data[ssh-privatekey]'],
    ],
    'dockercfg without its key': [ofType('dockercfg'), ['FieldValueRequired data[.dockercfg]']],
    'dockerconfigjson that is not an object': [
      ofType('dockerconfigjson', { '.dockerconfigjson': base64('[1]') }),
      ['FieldValueInvalid data[.dockerconfigjson]'],
    ],
    'a token without the name of its account': [
      ofType('service-account-token'),
      ['FieldValueRequired metadata.annotations[kubernetes.io/service-account.name]'],
    ],
  });

  it('never shows a value in an error', () => {
    const hidden = ofType('dockercfg', { '.dockercfg': base64('hunter2') });
    assert.doesNotMatch(JSON.stringify(created(definition, hidden).errors), /hunter2|aHVudGVyMg/);
  });

  describe('updates', () => {
    const old = created(definition, secret({ data: { a: 'aGk=' }, immutable: true })).object;
    const put = (fields: JsonObject): string[] =>
      problems(updated(definition, old, secret(fields)));

    it('may not change the type', () => {
      assert.deepEqual(put({ type: 'example.com/x', data: { a: 'aGk=' }, immutable: true }), [
        'FieldValueInvalid type',
      ]);
    });

    it('of what is immutable may change nothing of the data, and not immutable', () => {
      assert.deepEqual(put({ stringData: { a: 'hi' }, immutable: true }), []);
      assert.deepEqual(put({ stringData: { a: 'ho' }, immutable: false }), [
        'FieldValueForbidden immutable',
        'FieldValueForbidden data',
      ]);
    });
  });

  it('is selected by its type, and shows it with how many values there are', () => {
    const { object } = created(definition, secret({ stringData: { a: '', b: '' } }));
    assert.equal(servedVersion(definition).selectableFields.get('type')?.(object), 'Opaque');
    const { Type, Data } = rowOf(definition, object);
    assert.deepEqual({ Type, Data }, { Type: 'Opaque', Data: 2 });
  });
});
