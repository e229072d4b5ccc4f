import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { OPEN, STRING, wrongWith, wrongWithField } from '../testing/wrong-with.ts';

describe('checkSchema: defaults', () => {
  const embedded = (rest: JsonObject): JsonObject => ({
    type: 'object',
    'x-cluster-embedded-resource': true,
    ...OPEN,
    ...rest,
  });
  const cases: [string, JsonObject, string[]][] = [
    ['of the wrong type', { type: 'integer', default: 'one' }, ['TypeInvalid @.default']],
    ['below the minimum', { type: 'integer', minimum: 5, default: 1 }, ['Invalid @.default']],
    ['not in the enum', { type: 'string', enum: ['a'], default: 'c' }, ['NotSupported @.default']],
    [
      'an item that is wrong',
      { type: 'array', items: { type: 'string', minLength: 2 }, default: ['ab', 'c'] },
      ['Invalid @.default.[1]'],
    ],
    [
      'a required field that a nested default would fill',
      {
        type: 'object',
        properties: { a: { ...STRING, default: 'x' } },
        required: ['a'],
        default: {},
      },
      ['Required @.default.a'],
    ],
    [
      'unknown fields',
      { type: 'object', properties: { a: STRING }, default: { b: 1 } },
      ['Invalid @.default'],
    ],
    [
      'unknown fields next to another fault',
      { type: 'object', properties: { a: STRING }, required: ['a'], default: { b: 1 } },
      ['Invalid @.default', 'Required @.default.a'],
    ],
    ['null is none', { type: 'string', default: null }, []],
    ['valid ones', { type: 'object', properties: { a: STRING }, default: { a: 'x' } }, []],
    [
      'in items',
      { type: 'array', items: { type: 'integer', default: 'x' } },
      ['TypeInvalid @.items.default'],
    ],
    [
      'an embedded resource without a kind',
      embedded({ default: { apiVersion: 'v1' } }),
      ['Required @.default.kind'],
    ],
    [
      'embedded metadata that does not decode',
      embedded({ default: { apiVersion: 'v1', kind: 'A', metadata: 1 } }),
      ['Invalid @.default.metadata'],
    ],
    [
      'a name inside embedded metadata',
      embedded({
        properties: {
          metadata: { type: 'object', properties: { name: { ...STRING, default: 'x' } } },
        },
      }),
      [],
    ],
    [
      'a bad name there',
      embedded({
        properties: {
          metadata: { type: 'object', properties: { name: { ...STRING, default: 'a/b' } } },
        },
      }),
      ['Invalid @.properties[metadata].properties[name].default'],
    ],
    [
      'below additionalProperties of metadata',
      embedded({
        properties: {
          metadata: {
            type: 'object',
            properties: {
              labels: { type: 'object', additionalProperties: { ...STRING, default: 'x' } },
            },
          },
        },
      }),
      ['Forbidden @.properties[metadata].properties[labels].additionalProperties.default'],
    ],
  ];
  for (const [name, schema, expected] of cases) {
    it(name, () => assert.deepEqual(wrongWithField(schema), expected));
  }

  it('of the object itself are such an object', () => {
    const wrong = (value: JsonObject): string[] =>
      wrongWith({ type: 'object', properties: { spec: STRING }, default: value });
    const type = { apiVersion: 'test.example.com/v1', kind: 'Web' };
    assert.deepEqual(wrong({ ...type, metadata: { name: 'a' }, spec: 'x' }), []);
    assert.deepEqual(wrong({}), ['Required $.default.apiVersion', 'Required $.default.kind']);
    assert.deepEqual(wrong({ ...type, spec: 5 }), ['TypeInvalid $.default.spec']);
    assert.deepEqual(wrong({ ...type, other: 1 }), ['Invalid $.default']);
  });

  it('are forbidden in type and metadata of the object itself', () => {
    const properties = {
      apiVersion: { ...STRING, default: 'v1' },
      metadata: { type: 'object', properties: { name: { ...STRING, default: 'w' } } },
    };
    assert.deepEqual(wrongWith({ type: 'object', properties }), [
      'Forbidden $.properties[apiVersion].default',
      'Forbidden $.properties[metadata].properties[name].default',
    ]);
  });
});

describe('checkSchema: rules, before they are compiled', () => {
  const withRule = (rule: JsonObject): string[] =>
    wrongWithField({
      type: 'object',
      properties: { a: STRING, m: { type: 'object', additionalProperties: STRING } },
      'x-cluster-validations': [{ rule: 'true', ...rule }],
    }).map((text) => text.replace('@.x-cluster-validations[0].', ''));
  const cases: [string, JsonObject, string[]][] = [
    ['all is well', { message: 'm', reason: 'FieldValueForbidden', fieldPath: '.a' }, []],
    ['no rule', { rule: ' ' }, ['Required rule']],
    ['a blank message', { message: ' ' }, ['Invalid message']],
    ['a message of two lines', { message: 'a\nb' }, ['Invalid message']],
    ['a rule of two lines without a message', { rule: 'true &&\ntrue' }, ['Required message']],
    ['a rule of two lines with one', { rule: 'true &&\ntrue', message: 'm' }, []],
    ['a blank messageExpression', { messageExpression: ' ' }, ['Required messageExpression']],
    ['an unknown reason', { reason: 'Because' }, ['NotSupported reason']],
    ['a path into a map', { fieldPath: ".m['x.y']" }, []],
    ['a path to nowhere', { fieldPath: '.b' }, ['Invalid fieldPath']],
    ['a path past a scalar', { fieldPath: '.a.b' }, ['Invalid fieldPath']],
    ['a path without a dot', { fieldPath: 'a' }, ['Invalid fieldPath']],
    ['a path with an index', { fieldPath: '.m[0]' }, ['Invalid fieldPath']],
  ];
  for (const [name, rule, expected] of cases) {
    it(name, () => assert.deepEqual(withRule(rule), expected));
  }
});
