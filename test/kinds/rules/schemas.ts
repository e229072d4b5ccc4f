import type { JsonObject, JsonValue } from '../../../api/json.ts';
import type { Rule } from './rule.ts';

/** A definition whose spec has this schema. */
const spec = (schema: JsonValue): JsonObject => ({
  spec: {
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } },
      },
    ],
  },
});
const AT = 'spec.validation.openAPIV3Schema.properties[spec]';
const rules = (rule: JsonObject): JsonObject =>
  spec({
    type: 'object',
    properties: { size: { type: 'integer' } },
    'x-cluster-validations': [rule],
  });

/** Document 3, section 2.1, on JSONSchemaProps. */
export const SCHEMA_RULES: readonly Rule[] = [
  { rule: 'a structural schema has a type', with: spec({ properties: {} }), refused: `${AT}.type` },
  {
    rule: 'items have a type',
    with: spec({ type: 'array', items: {} }),
    refused: `${AT}.items.type`,
  },
  {
    rule: 'a default fits its schema',
    with: spec({ type: 'object', properties: { a: { type: 'integer', default: 'x' } } }),
    refused: `${AT}.properties[a].default`,
  },
  {
    rule: 'an embedded resource is an object',
    with: spec({ type: 'string', 'x-cluster-embedded-resource': true }),
    refused: `${AT}.type`,
  },
  {
    rule: 'list type is atomic, set or map',
    with: spec({ type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'bag' }),
    refused: `${AT}.x-cluster-list-type`,
  },
  {
    rule: 'list type is for arrays',
    with: spec({ type: 'object', 'x-cluster-list-type': 'set' }),
    refused: `${AT}.type`,
  },
  {
    rule: 'a map list has keys',
    with: spec({
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' } } },
      'x-cluster-list-type': 'map',
    }),
    refused: `${AT}.x-cluster-list-map-keys`,
  },
  {
    rule: 'map keys are required or have a default',
    with: spec({
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' } } },
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['a'],
    }),
    refused: `${AT}.items.properties[a].default`,
  },
  {
    rule: 'map keys are scalars',
    with: spec({
      type: 'array',
      items: { type: 'object', required: ['a'], properties: { a: { type: 'object' } } },
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['a'],
    }),
    refused: `${AT}.items.properties[a].type`,
  },
  {
    rule: 'map type is for objects',
    with: spec({ type: 'array', items: { type: 'string' }, 'x-cluster-map-type': 'atomic' }),
    refused: `${AT}.type`,
  },
  {
    rule: 'preserve-unknown-fields is never false',
    with: spec({ type: 'object', 'x-cluster-preserve-unknown-fields': false }),
    refused: `${AT}.x-cluster-preserve-unknown-fields`,
  },
  {
    rule: '$ref is not supported',
    with: spec({ type: 'object', $ref: '#/a' }),
    refused: `${AT}.$ref`,
  },
  {
    rule: 'definitions are not supported',
    with: spec({ type: 'object', definitions: { a: { type: 'string' } } }),
    refused: `${AT}.definitions`,
  },
  {
    rule: 'uniqueItems is not true',
    with: spec({ type: 'array', items: { type: 'string' }, uniqueItems: true }),
    refused: `${AT}.uniqueItems`,
  },
];

/** Document 3, section 2.1, on ValidationRule. */
export const VALIDATION_RULES: readonly Rule[] = [
  {
    rule: 'a rule is required',
    with: rules({ rule: '' }),
    refused: `${AT}.x-cluster-validations[0].rule`,
  },
  {
    rule: 'a rule compiles',
    with: rules({ rule: 'self.other > 0' }),
    refused: `${AT}.x-cluster-validations[0].rule`,
  },
  {
    rule: 'a rule yields a boolean',
    with: rules({ rule: 'self.size' }),
    refused: `${AT}.x-cluster-validations[0].rule`,
  },
  {
    rule: 'a rule with newlines has a message',
    with: rules({ rule: 'self.size\n > 0' }),
    refused: `${AT}.x-cluster-validations[0].message`,
  },
  {
    rule: 'a message has no newlines',
    with: rules({ rule: 'self.size > 0', message: 'a\nb' }),
    refused: `${AT}.x-cluster-validations[0].message`,
  },
  {
    rule: 'messageExpression yields a string',
    with: rules({ rule: 'self.size > 0', messageExpression: '1' }),
    refused: `${AT}.x-cluster-validations[0].messageExpression`,
  },
  {
    rule: 'optionalOldSelf only with oldSelf',
    with: rules({ rule: 'self.size > 0', optionalOldSelf: true }),
    refused: `${AT}.x-cluster-validations[0].optionalOldSelf`,
  },
  {
    rule: 'fieldPath names an existing field',
    with: rules({ rule: 'self.size > 0', fieldPath: '.other' }),
    refused: `${AT}.x-cluster-validations[0].fieldPath`,
  },
  {
    rule: 'reason is one of four',
    with: rules({ rule: 'self.size > 0', reason: 'Mood' }),
    refused: `${AT}.x-cluster-validations[0].reason`,
  },
];
