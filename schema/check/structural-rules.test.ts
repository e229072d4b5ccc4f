import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { OPEN, STRING, root, wrongWith, wrongWithField } from '../testing/wrong-with.ts';

describe('checkSchema: structure', () => {
  const cases: [string, JsonObject, string[]][] = [
    ['a type is needed', {}, ['Required @.type']],
    ['except where anything goes', OPEN, []],
    ['items need one too', { type: 'array', items: {} }, ['Required @.items.type']],
    ['a list needs items', { type: 'array' }, ['Required @.items']],
    [
      'values of maps too',
      { type: 'object', additionalProperties: {} },
      ['Required @.additionalProperties.type'],
    ],
    ['an unknown type', { type: 'text' }, ['NotSupported @.type']],
    ['the type null', { type: 'null' }, ['Forbidden @.type', 'NotSupported @.type']],
    [
      'properties next to additionalProperties',
      { type: 'object', properties: { a: STRING }, additionalProperties: STRING },
      ['Forbidden @.additionalProperties'],
    ],
    [
      'or next to additionalProperties false',
      { type: 'object', properties: { a: STRING }, additionalProperties: false },
      ['Forbidden @.additionalProperties'],
    ],
    [
      'but not next to true',
      { type: 'object', properties: { a: STRING }, additionalProperties: true },
      [],
    ],
    [
      'uniqueItems',
      { type: 'array', items: STRING, uniqueItems: true },
      ['Forbidden @.uniqueItems'],
    ],
    ['a list of schemas for items', { type: 'array', items: [STRING] }, ['Forbidden @.items']],
    ['an empty list of them is as none', { type: 'array', items: [] }, ['Required @.items']],
    ['$ref', { type: 'object', $ref: '#/x' }, ['Forbidden @.$ref']],
    ['$schema, reported at the root', { type: 'object', $schema: 'x' }, ['Invalid $']],
    ['$schema and id', { type: 'object', $schema: 'x', id: 'y' }, ['Forbidden @.id']],
    [
      'patternProperties',
      { type: 'object', patternProperties: { a: STRING } },
      ['Forbidden @.patternProperties'],
    ],
    ['definitions', { type: 'object', definitions: { a: STRING } }, ['Forbidden @.definitions']],
    ['dependencies', { type: 'object', dependencies: { a: ['b'] } }, ['Forbidden @.dependencies']],
    [
      'additionalItems',
      { type: 'array', items: STRING, additionalItems: false },
      ['Forbidden @.additionalItems'],
    ],
    [
      'preserve-unknown false',
      { type: 'object', 'x-cluster-preserve-unknown-fields': false },
      ['Invalid @.x-cluster-preserve-unknown-fields'],
    ],
    [
      'preserve-unknown false, and then nothing about the structure',
      { properties: { a: {} }, 'x-cluster-preserve-unknown-fields': false },
      ['Invalid @.x-cluster-preserve-unknown-fields'],
    ],
    ['a pattern that does not compile', { type: 'string', pattern: '(' }, ['Invalid @.pattern']],
    [
      'a pattern that RE2 does not have',
      { type: 'string', pattern: '(?=a)' },
      ['Invalid @.pattern'],
    ],
    [
      'contradictory limits are fine',
      { type: 'integer', minimum: 5, maximum: 1, minLength: -1, multipleOf: 0, enum: ['x'] },
      [],
    ],
    ['required without such a property is fine', { type: 'object', required: ['b'] }, []],
  ];
  for (const [name, schema, expected] of cases) {
    it(name, () => assert.deepEqual(wrongWithField(schema), expected));
  }

  it('the root is an object without additionalProperties, and never null', () => {
    assert.deepEqual(wrongWith({}), ['Required $.type']);
    assert.deepEqual(wrongWith({ type: 'string' }), ['Invalid $.type']);
    assert.deepEqual(wrongWith({ type: 'object', additionalProperties: STRING }), [
      'Forbidden $.additionalProperties',
    ]);
    assert.deepEqual(wrongWith(root({ nullable: true })), ['Forbidden $.nullable']);
    assert.deepEqual(wrongWith({ type: 'object', ...OPEN }), []);
  });

  it('below junctors nothing has structure', () => {
    const nested = {
      type: 'string',
      title: 't',
      description: 'd',
      default: 'x',
      nullable: true,
      additionalProperties: STRING,
      'x-cluster-int-or-string': true,
      'x-cluster-embedded-resource': true,
      'x-cluster-list-type': 'atomic',
      'x-cluster-map-type': 'atomic',
      'x-cluster-list-map-keys': ['a'],
      'x-cluster-validations': [{ rule: 'true' }],
      ...OPEN,
    };
    const forbidden = Object.keys(nested).map((keyword) => `Forbidden @.not.${keyword}`);
    const errors = wrongWithField({ type: 'string', not: nested });
    assert.deepEqual(
      errors.filter((e) => e.startsWith('Forbidden')),
      forbidden.sort(),
    );
    assert.deepEqual(
      wrongWithField({ type: 'object', anyOf: [{ properties: { a: { pattern: '(' } } }] }),
      ['Invalid @.anyOf[0].properties[a].pattern'],
    );
  });

  it('what the junctors of the root restrict is specified outside of them', () => {
    const spec = { type: 'object', properties: { a: STRING, l: { type: 'array', items: STRING } } };
    const check = (nested: JsonObject): string[] =>
      wrongWith({ type: 'object', properties: { spec }, allOf: [nested] });
    assert.deepEqual(
      check({
        properties: {
          spec: { properties: { a: { minLength: 1 }, l: { items: { minLength: 1 } } } },
        },
      }),
      [],
    );
    assert.deepEqual(check({ properties: { speck: {} } }), ['Required $.properties[speck]']);
    assert.deepEqual(check({ anyOf: [{ properties: { spec: { properties: { b: {} } } } }] }), [
      'Required $.properties[spec].properties[b]',
    ]);
    assert.deepEqual(
      check({ not: { properties: { spec: { properties: { a: { items: {} } } } } } }),
      ['Required $.properties[spec].properties[a].items'],
    );
    assert.deepEqual(check({ required: ['other'] }), []);
    assert.deepEqual(wrongWithField({ type: 'object', anyOf: [{ properties: { a: {} } }] }), []);
  });

  it('type and metadata of the object are the server’s', () => {
    const meta = (schema: JsonObject): string[] =>
      wrongWith({ type: 'object', properties: { metadata: schema } });
    assert.deepEqual(meta({ type: 'object' }), []);
    assert.deepEqual(
      meta({
        type: 'object',
        properties: { name: { type: 'string', maxLength: 9 }, generateName: STRING },
      }),
      [],
    );
    assert.deepEqual(meta({ type: 'object', properties: { labels: { type: 'object' } } }), [
      'Forbidden $.properties[metadata]',
    ]);
    assert.deepEqual(meta({ type: 'object', required: ['name'] }), [
      'Forbidden $.properties[metadata]',
    ]);
    assert.deepEqual(meta({ type: 'object', description: 'x' }), [
      'Forbidden $.properties[metadata]',
    ]);
    assert.deepEqual(meta(STRING), ['Invalid $.properties[metadata].type']);
    assert.deepEqual(
      wrongWith({
        type: 'object',
        properties: { kind: { type: 'integer' }, apiVersion: { type: 'object' } },
      }),
      ['Invalid $.properties[apiVersion].type', 'Invalid $.properties[kind].type'],
    );
    assert.deepEqual(
      wrongWith({ type: 'object', properties: { kind: { type: 'string', enum: ['W'] } } }),
      [],
    );
    const properties = { metadata: { type: 'object' } };
    assert.deepEqual(
      wrongWith({ type: 'object', properties, anyOf: [{ properties: { metadata: {} } }] }),
      ['Forbidden $.anyOf[0].properties[metadata]'],
    );
  });

  it('with a status subresource the root allows few keywords', () => {
    assert.deepEqual(wrongWith(root({ required: ['spec'], description: 'd', ...OPEN }), true), []);
    assert.deepEqual(wrongWith(root({ anyOf: [{ required: ['spec'] }] }), true), ['Invalid $']);
    assert.deepEqual(wrongWith(root({ minProperties: 1 }), true), ['Invalid $']);
    assert.ok(wrongWith(root({ default: {} }), true).includes('Invalid $'));
    assert.deepEqual(wrongWith({ type: 'array', items: STRING }, true), ['Invalid $.type']);
    assert.deepEqual(wrongWith(root({ anyOf: [{ required: ['spec'] }] })), []);
  });
});
