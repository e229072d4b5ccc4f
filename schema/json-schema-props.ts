import {
  boolean,
  float64,
  int64,
  json,
  list,
  map,
  string,
  struct,
  union,
  use,
  type Fields,
} from './dsl.ts';
import { extensionKey } from './extension-keys.ts';
import type { StructuralSchema } from './structure/structural.ts';

const ValidationRule = struct(
  'io.cluster.apiextensions.v1.ValidationRule',
  {
    rule: string({
      required: true,
      description:
        'A CEL expression that must be true. `self` is the value at the place where the rule stands, `oldSelf` the one before the update.',
    }),
    message: string({
      description:
        'What to tell when the rule fails; one line. Needed when the rule has several lines.',
    }),
    messageExpression: string({
      description:
        'A CEL expression for the message; used instead of `message` when it returns a string.',
    }),
    reason: string({
      pointer: true,
      enum: [
        'FieldValueInvalid',
        'FieldValueForbidden',
        'FieldValueRequired',
        'FieldValueDuplicate',
      ],
      description: 'A machine-readable reason for the failure; FieldValueInvalid when absent.',
    }),
    fieldPath: string({
      description:
        'The field that is reported, relative to the place of the rule: `.name`, `.map.key` or `["key"]` in single quotes.',
    }),
    optionalOldSelf: boolean({
      pointer: true,
      description:
        'Makes `oldSelf` an optional, so that the rule also runs where there is no old value.',
    }),
  },
  {
    description: 'A rule that values must keep.',
    numbers: {
      rule: 1,
      message: 2,
      messageExpression: 3,
      reason: 4,
      fieldPath: 5,
      optionalOldSelf: 6,
    },
  },
);

const ExternalDocumentation = struct(
  'io.cluster.apiextensions.v1.ExternalDocumentation',
  {
    description: string({ description: 'What is found there.' }),
    url: string({ description: 'Where it is found.' }),
  },
  { description: 'Documentation that stands elsewhere.', numbers: { description: 1, url: 2 } },
);

/** Limits on values, none of which gives a value structure. */
const LIMITS = {
  format: string({ description: 'Format of a string or number; unknown formats are ignored.' }),
  maximum: float64({ pointer: true, description: 'Largest number.' }),
  exclusiveMaximum: boolean({ description: 'The maximum itself is not allowed.' }),
  minimum: float64({ pointer: true, description: 'Smallest number.' }),
  exclusiveMinimum: boolean({ description: 'The minimum itself is not allowed.' }),
  maxLength: int64({ pointer: true, description: 'Largest number of characters of a string.' }),
  minLength: int64({ pointer: true, description: 'Smallest number of characters of a string.' }),
  pattern: string({ description: 'RE2 expression that must match somewhere in a string.' }),
  maxItems: int64({ pointer: true, description: 'Most items of a list.' }),
  minItems: int64({ pointer: true, description: 'Fewest items of a list.' }),
  uniqueItems: boolean({ description: 'Not supported; use a list of type set.' }),
  multipleOf: float64({ pointer: true, description: 'Number of which values are multiples.' }),
  enum: list(json(), {
    listType: 'atomic',
    description: 'The values that are allowed.',
  }),
  maxProperties: int64({ pointer: true, description: 'Most fields of an object.' }),
  minProperties: int64({ pointer: true, description: 'Fewest fields of an object.' }),
  required: list(string(), {
    listType: 'atomic',
    description: 'Fields that an object must have.',
  }),
};

const EXTENSIONS: Fields = {
  [extensionKey('preserve-unknown-fields')]: boolean({
    pointer: true,
    description: 'Keeps fields that the schema does not have; true or absent.',
  }),
  [extensionKey('embedded-resource')]: boolean({
    description: 'The value is an object of the API, with type and metadata of its own.',
  }),
  [extensionKey('int-or-string')]: boolean({
    description: 'The value is an integer or a string.',
  }),
  [extensionKey('list-map-keys')]: list(string(), {
    listType: 'atomic',
    description: 'Fields that tell the items of a list of type map apart.',
  }),
  [extensionKey('list-type')]: string({
    pointer: true,
    description:
      'One of atomic (replaced as a whole; the default), set (no item twice) and map (items have keys).',
  }),
  [extensionKey('map-type')]: string({
    pointer: true,
    description:
      'One of granular (fields are independent; the default) and atomic (replaced as a whole).',
  }),
  [extensionKey('validations')]: list(ValidationRule, {
    listType: 'map',
    listMapKeys: ['rule'],
    patchStrategy: 'merge',
    patchMergeKey: 'rule',
    description: 'Rules that values must keep.',
  }),
};

function structureOf(self: StructuralSchema) {
  const schemas = (description: string): StructuralSchema =>
    list(self, { listType: 'atomic', description });
  const named = (description: string): StructuralSchema => map(self, { description });
  const orBoolean = (description: string): StructuralSchema =>
    union(
      { object: self, boolean: boolean() },
      { pointer: true, description, numbers: { boolean: 1, object: 2 } },
    );
  return {
    items: union(
      { object: self, array: list(self) },
      {
        pointer: true,
        description: 'Schema of the items of a list.',
        numbers: { object: 1, array: 2 },
      },
    ),
    properties: named('The fields of an object.'),
    additionalProperties: orBoolean('Schema of the values of all other keys of an object.'),
    allOf: schemas('Schemas that a value must satisfy, all of them.'),
    anyOf: schemas('Schemas of which a value must satisfy at least one.'),
    oneOf: schemas('Schemas of which a value must satisfy exactly one.'),
    not: use(self, { pointer: true, description: 'Schema that a value must not satisfy.' }),
    additionalItems: orBoolean('Not supported.'),
    patternProperties: named('Not supported.'),
    definitions: named('Not supported.'),
    dependencies: map(
      union({ object: self, array: list(string()) }, { numbers: { object: 1, array: 2 } }),
      { description: 'Not supported.' },
    ),
  };
}

/**
 * JSONSchemaProps: the schema of a version of a CRD, as a built-in kind has it.
 * Its extension keys are the neutral ones: api/naming.ts renames the others
 * before decoding. Source: specification 3, section 2.1.
 */
export const JSONSchemaProps = struct(
  'io.cluster.apiextensions.v1.JSONSchemaProps',
  (self) => ({
    id: string({ description: 'Not supported.' }),
    $schema: string({ description: 'Not supported.' }),
    $ref: string({ pointer: true, description: 'Not supported.' }),
    title: string({ description: 'A name for people.' }),
    description: string({ description: 'What the value is, for people.' }),
    type: string({ description: 'One of array, boolean, integer, number, object and string.' }),
    nullable: boolean({ description: 'The value may also be null.' }),
    default: json({ pointer: true, description: 'The value of a field that is absent.' }),
    example: json({ pointer: true, description: 'A value as an example.' }),
    externalDocs: use(ExternalDocumentation, {
      pointer: true,
      description: 'Documentation that stands elsewhere.',
    }),
    ...LIMITS,
    ...structureOf(self),
    ...EXTENSIONS,
  }),
  {
    description: 'A schema in the form of OpenAPI v3, with the extensions of this server.',
    numbers: {
      id: 1,
      $schema: 2,
      $ref: 3,
      description: 4,
      type: 5,
      format: 6,
      title: 7,
      default: 8,
      maximum: 9,
      exclusiveMaximum: 10,
      minimum: 11,
      exclusiveMinimum: 12,
      maxLength: 13,
      minLength: 14,
      pattern: 15,
      maxItems: 16,
      minItems: 17,
      uniqueItems: 18,
      multipleOf: 19,
      enum: 20,
      maxProperties: 21,
      minProperties: 22,
      required: 23,
      items: 24,
      allOf: 25,
      oneOf: 26,
      anyOf: 27,
      not: 28,
      properties: 29,
      additionalProperties: 30,
      patternProperties: 31,
      dependencies: 32,
      additionalItems: 33,
      definitions: 34,
      externalDocs: 35,
      example: 36,
      nullable: 37,
      [extensionKey('preserve-unknown-fields')]: 38,
      [extensionKey('embedded-resource')]: 39,
      [extensionKey('int-or-string')]: 40,
      [extensionKey('list-map-keys')]: 41,
      [extensionKey('list-type')]: 42,
      [extensionKey('map-type')]: 43,
      [extensionKey('validations')]: 44,
    },
  },
);
