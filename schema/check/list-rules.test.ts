import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { OPEN, STRING, wrongWithField } from '../testing/wrong-with.ts';

describe('checkSchema: extensions', () => {
  const item = (rest: JsonObject): JsonObject => ({
    type: 'object',
    properties: { name: STRING, port: { type: 'integer' } },
    required: ['name'],
    ...rest,
  });
  const mapList = (items: JsonValue, ...keys: string[]): JsonObject => ({
    type: 'array',
    items,
    'x-cluster-list-type': 'map',
    'x-cluster-list-map-keys': keys,
  });
  const set = (items: JsonValue): JsonObject => ({
    type: 'array',
    items,
    'x-cluster-list-type': 'set',
  });
  const cases: [string, JsonObject, string[]][] = [
    ['int-or-string alone', { 'x-cluster-int-or-string': true }, []],
    [
      'with the anyOf of both types',
      { 'x-cluster-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      [],
    ],
    [
      'inside allOf',
      {
        'x-cluster-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }],
      },
      [],
    ],
    [
      'in the other order',
      { 'x-cluster-int-or-string': true, anyOf: [STRING, { type: 'integer' }] },
      ['Forbidden @.anyOf[0].type', 'Forbidden @.anyOf[1].type'],
    ],
    [
      'in the second of allOf',
      {
        'x-cluster-int-or-string': true,
        allOf: [{ pattern: 'a' }, { anyOf: [{ type: 'integer' }, STRING] }],
      },
      ['Forbidden @.allOf[1].anyOf[0].type', 'Forbidden @.allOf[1].anyOf[1].type'],
    ],
    [
      'with preserve-unknown',
      { 'x-cluster-int-or-string': true, ...OPEN },
      ['Invalid @.x-cluster-preserve-unknown-fields'],
    ],
    ['an embedded resource', { type: 'object', 'x-cluster-embedded-resource': true, ...OPEN }, []],
    [
      'without properties or preserve-unknown',
      { type: 'object', 'x-cluster-embedded-resource': true },
      ['Required @.properties'],
    ],
    [
      'that is not an object',
      { type: 'string', 'x-cluster-embedded-resource': true, ...OPEN },
      ['Invalid @.type'],
    ],
    ['without a type', { 'x-cluster-embedded-resource': true, ...OPEN }, ['Required @.type']],
    [
      'with additionalProperties',
      {
        type: 'object',
        'x-cluster-embedded-resource': true,
        additionalProperties: STRING,
        ...OPEN,
      },
      ['Forbidden @.additionalProperties'],
    ],
    [
      'in the metadata of another',
      {
        type: 'object',
        'x-cluster-embedded-resource': true,
        properties: { metadata: { type: 'object', 'x-cluster-embedded-resource': true, ...OPEN } },
      },
      ['Forbidden @.properties[metadata].x-cluster-embedded-resource'],
    ],
    [
      'a list type on an object',
      { type: 'object', 'x-cluster-list-type': 'set' },
      ['Invalid @.type'],
    ],
    ['a list type without a type', { ...OPEN, 'x-cluster-list-type': 'set' }, ['Required @.type']],
    [
      'an unknown list type',
      { type: 'array', items: STRING, 'x-cluster-list-type': 'bag' },
      ['NotSupported @.x-cluster-list-type'],
    ],
    ['a set of granular objects', set({ type: 'object' }), ['Invalid @.items.x-cluster-map-type']],
    ['a set of atomic objects', set({ type: 'object', 'x-cluster-map-type': 'atomic' }), []],
    ['a set of sets', set(set(STRING)), ['Invalid @.items.x-cluster-list-type']],
    ['a set of lists', set({ type: 'array', items: STRING }), []],
    ['a set of nulls', set({ type: 'string', nullable: true }), ['Forbidden @.items.nullable']],
    ['list type map', mapList(item({}), 'name'), []],
    ['without keys', mapList(item({})), ['Required @.x-cluster-list-map-keys']],
    [
      'a key that is not a property',
      mapList(item({}), 'nome'),
      ['Invalid @.x-cluster-list-map-keys'],
    ],
    [
      'a key that every object inherits',
      mapList(item({}), 'toString'),
      ['Invalid @.x-cluster-list-map-keys'],
    ],
    ['a key twice', mapList(item({}), 'name', 'name'), ['Invalid @.x-cluster-list-map-keys']],
    [
      'a key that may be absent',
      mapList(item({}), 'port'),
      ['Required @.items.properties[port].default'],
    ],
    [
      'a key with a default',
      mapList(
        item({ properties: { name: STRING, port: { type: 'integer', default: 1 } } }),
        'port',
      ),
      [],
    ],
    [
      'a key that is an object',
      mapList(item({ properties: { name: { type: 'object' } } }), 'name'),
      ['Invalid @.items.properties[name].type'],
    ],
    [
      'a key that may be null',
      mapList(item({ properties: { name: { type: 'string', nullable: true } } }), 'name'),
      ['Forbidden @.items.properties[name].nullable'],
    ],
    [
      'items that may be null',
      mapList(item({ nullable: true }), 'name'),
      ['Forbidden @.items.nullable'],
    ],
    ['items that are not objects', mapList(STRING, 'name'), ['Invalid @.items.type']],
    [
      'keys with list type set',
      { ...set(STRING), 'x-cluster-list-map-keys': ['a'] },
      ['Invalid @.x-cluster-list-type'],
    ],
    [
      'keys without list type',
      { type: 'array', items: STRING, 'x-cluster-list-map-keys': ['a'] },
      ['Required @.x-cluster-list-type'],
    ],
    [
      'a map type on a string',
      { type: 'string', 'x-cluster-map-type': 'atomic' },
      ['Invalid @.type'],
    ],
    ['a map type without a type', { ...OPEN, 'x-cluster-map-type': 'atomic' }, ['Required @.type']],
    [
      'an unknown map type',
      { type: 'object', 'x-cluster-map-type': 'set' },
      ['NotSupported @.x-cluster-map-type'],
    ],
  ];
  for (const [name, schema, expected] of cases) {
    it(name, () => assert.deepEqual(wrongWithField(schema), expected));
  }
});
