import fc from 'fast-check';
import { deepClone, type JsonObject, type JsonValue } from '../../api/json.ts';

/** Names short enough to collide often, and some that JavaScript objects inherit. */
const fieldName = fc.constantFrom('a', 'b', 'c', 'spec', '__proto__', 'constructor');

/** JSON as irregular as what clients send. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(null, true, 0, 1, 1.5, -7, 'x', '', 'long text', 2n ** 60n),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fieldName, tie('value'), { maxKeys: 4 }),
  ),
})).value;

interface Scalar {
  readonly schema: JsonObject;
  readonly values: readonly JsonValue[];
}

/** Scalar schemas, each with values that are valid. */
const scalars: readonly Scalar[] = [
  { schema: { type: 'string' }, values: ['', 'x', 'long text'] },
  { schema: { type: 'string', maxLength: 3, pattern: '^[a-z]*$' }, values: ['', 'abc'] },
  { schema: { type: 'string', enum: ['a', 'b'] }, values: ['a', 'b'] },
  { schema: { type: 'string', format: 'ipv4' }, values: ['10.0.0.1'] },
  { schema: { type: 'integer' }, values: [0, -1, 2n ** 60n] },
  { schema: { type: 'integer', minimum: 1, maximum: 10, multipleOf: 2 }, values: [2, 10] },
  { schema: { type: 'number', exclusiveMinimum: true, minimum: 0 }, values: [0.1, 5] },
  { schema: { type: 'boolean' }, values: [true, false] },
  { schema: { 'x-cluster-int-or-string': true }, values: [80, 'http'] },
  { schema: { type: 'string', not: { enum: ['root'] } }, values: ['me'] },
  {
    schema: { type: 'integer', anyOf: [{ maximum: 10 }, { minimum: 100 }] },
    values: [5, 500],
  },
];

/** A schema in JSON together with a valid value for it. */
interface Sample {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

const scalarSample: fc.Arbitrary<Sample> = fc.constantFrom(...scalars).chain(({ schema, values }) =>
  fc.tuple(fc.constantFrom(...values), fc.boolean()).map(([value, hasDefault]) => ({
    schema: hasDefault ? { ...schema, default: value } : schema,
    value,
  })),
);

/** Objects, maps and lists of all list types over scalars, to a few levels. */
const sample: fc.Arbitrary<Sample> = fc.letrec<{ node: Sample }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalarSample,
    fc
      .array(fc.tuple(fieldName, tie('node'), fc.boolean(), fc.boolean()), { maxLength: 4 })
      .map(objectSample),
    tie('node').map(({ schema, value }) => ({
      schema: { type: 'array', items: withoutDefault(schema), maxItems: 2 },
      value: [value],
    })),
    tie('node').map(({ schema, value }) => ({
      schema: { type: 'object', additionalProperties: withoutDefault(schema) },
      value: { key: value },
    })),
    fc.constant<Sample>({
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, n: { type: 'integer', default: 1 } },
          required: ['name'],
        },
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['name'],
      },
      value: [{ name: 'a' }, { name: 'b', n: 2 }],
    }),
    fc.constant<Sample>({
      schema: { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' },
      value: ['a', 'b'],
    }),
    fc.constant<Sample>({
      schema: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
      value: { free: [{ any: null }] },
    }),
  ),
})).node;

function objectSample(fields: [string, Sample, boolean, boolean][]): Sample {
  const properties: Record<string, JsonValue> = {};
  const value: Record<string, JsonValue> = {};
  const required: string[] = [];
  for (const [name, field, isPresent, isRequired] of fields) {
    if (Object.hasOwn(properties, name)) continue;
    define(properties, name, field.schema);
    if (isPresent) define(value, name, field.value);
    if (isPresent && isRequired) required.push(name);
  }
  return { schema: { type: 'object', properties, required }, value };
}

function define(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function withoutDefault(schema: JsonObject): JsonObject {
  const { default: _, ...rest } = schema;
  return rest;
}

/** The schema and value of a whole custom resource. */
export const resource: fc.Arbitrary<{ schema: JsonObject; value: JsonObject }> = sample.map(
  ({ schema, value }) => ({
    schema: { type: 'object', properties: { spec: schema } },
    // tests change it, and the constants above are shared
    value: { apiVersion: 'e/v1', kind: 'W', metadata: { name: 'a' }, spec: deepClone(value) },
  }),
);
