import fc from 'fast-check';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';

/**
 * Words that mean something somewhere, and others that come close. A field gets
 * them whatever it is for: only its type fits for sure.
 */
const WORDS: readonly string[] = [
  ...['', 'a', 'A_b', 'x.example.com', 'example.com/x', 'a b', 'ü', '\u0000', '\ud800', '*', '*/*'],
  ...['__proto__', 'constructor', 'x'.repeat(300), '1.36.0', 'v1', 'True', 'None', 'In', 'Exists'],
  ...['10.0.0.1', '10.0.0.0/8', 'fd00::/64', '010.0.0.1', 'https://a.example/p', '%zz', '/p/q'],
  ...['NoExecute', 'Equal', 'Gt', 'Fail', 'Kind', 'system:masters', 'broken', 'variables.a', '5'],
];
const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const INTEGERS = [0, 1, -1, 65535, 65536, 2 ** 31 - 1, -(2 ** 31)];
const TIMES = [
  '1999-01-02T03:04:05Z',
  '2024-02-29T23:59:59.123456789+02:00',
  '0001-01-01T00:00:00Z',
];
const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

const made = new WeakMap<StructuralSchema, fc.Arbitrary<JsonValue>>();

/** Any value that decodes: of the right types, otherwise wild. */
export function valueOf(schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const arbitrary = fc.oneof(
    { weight: 20, arbitrary: make(schema) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  made.set(schema, arbitrary);
  return arbitrary;
}

function make(schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  const { typed, items, additionalProperties } = schema;
  switch (typed?.kind) {
    case 'boolean':
      return fc.boolean();
    case 'string':
      return typed.enum === undefined ? word : fc.oneof(word, fc.constantFrom(...typed.enum));
    case 'int32':
      return fc.constantFrom(...INTEGERS);
    case 'int64':
      return fc.constantFrom(...INTEGERS, 2n ** 63n - 1n);
    case 'float64':
      return fc.constantFrom(...INTEGERS, 0.5);
    case 'intOrString':
      return fc.oneof(word, fc.constantFrom(...INTEGERS));
    case 'quantity':
      return fc.constantFrom('0', '100m', '1u', '-1', 2, 0.5, '1e3', '16393244Ki', '1E');
    case 'time':
      return fc.constantFrom(...TIMES);
    case 'microTime':
      return fc.constantFrom('1999-01-02T03:04:05.000000Z', '2024-02-29T23:59:59.123456+02:00');
    case 'bytes':
      return fc.constantFrom('', 'aGk=', 'bm90\nIGEg');
    case 'raw':
      return fc.dictionary(word, anything, { maxKeys: 3 });
    case 'list':
      return items === undefined ? fc.constant([]) : fc.array(valueOf(items), { maxLength: 3 });
    case 'map':
      return typeof additionalProperties === 'object'
        ? fc.dictionary(word, valueOf(additionalProperties), { maxKeys: 3 })
        : fc.constant({});
    case 'struct':
      return fc.record(fieldsOf(schema), { requiredKeys: [] }) as fc.Arbitrary<JsonValue>;
    case 'json':
    case 'union':
    case undefined:
      return anything;
  }
}

function fieldsOf(schema: StructuralSchema): Record<string, fc.Arbitrary<JsonValue>> {
  return Object.fromEntries(
    [...(schema.properties ?? [])].map(([name, field]) => [name, valueOf(field)]),
  );
}

/** What is like `value` save for a few parts, which are gone, or anything that decodes. */
export function variantOf(value: JsonValue, schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  return fc.oneof(
    { weight: 80, arbitrary: variantOfParts(value, schema) },
    { weight: 1, arbitrary: valueOf(schema) },
  );
}

function variantOfParts(value: JsonValue, schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  const { items, properties } = schema;
  if (Array.isArray(value) && items !== undefined) {
    const twice: JsonValue = [...value, ...value];
    return fc.oneof<fc.WeightedArbitrary<JsonValue>[]>(
      { weight: 20, arbitrary: fc.tuple(...value.map((item) => variantOf(item, items))) },
      { weight: 1, arbitrary: fc.constant(twice) },
    );
  }
  if (isObject(value) && properties !== undefined) return variantOfObject(value, properties);
  return fc.constant(value);
}

function variantOfObject(
  value: JsonObject,
  properties: ReadonlyMap<string, StructuralSchema>,
): fc.Arbitrary<JsonObject> {
  const fields: Record<string, fc.Arbitrary<JsonValue | undefined>> = {};
  for (const [name, field] of properties) {
    const own = value[name];
    fields[name] = fc.oneof(
      {
        weight: 80,
        arbitrary: own === undefined ? fc.constant(undefined) : variantOf(own, field),
      },
      { weight: 1, arbitrary: own === undefined ? valueOf(field) : fc.constant(undefined) },
    );
  }
  return fc
    .record(fields)
    .map(
      (record) =>
        Object.fromEntries(
          Object.entries(record).filter(([, field]) => field !== undefined),
        ) as JsonObject,
    );
}
