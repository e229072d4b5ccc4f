import assert from 'node:assert/strict';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { MAX_JSON_DEPTH, MAX_REQUEST_FIELDS } from '../../api/json-parse.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { builtinDefinitions } from '../../resources/builtin.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { REVIEW_DEFINITIONS } from '../../resources/reviews.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { decodeProtobuf, UnknownKind } from './envelope.ts';
import { schemaOf } from './kinds.ts';
import { ProtobufError } from '../../api/protobuf/reader.ts';
import { protobufBody } from './testing.ts';

/** What kubectl 1.32 sends. */
const KUBECTL = {
  'create namespace':
    '6b3873000a0f0a02763112094e616d657370616365121f0a170a0770726f746f2d7812001a0022002a0032003800420012001a020a001a002200',
  'auth can-i':
    '6b3873000a320a17617574686f72697a6174696f6e2e6b38732e696f2f7631121753656c665375626a65637441636365737352657669657712520a100a0012001a0022002a0032003800420012340a320a0764656661756c7412036765741a0022002a1a6c65617365732e636f6f7264696e6174696f6e2e6b38732e696f32003a001a08080012001a0020001a002200',
  'auth can-i --list':
    '6b3873000a310a17617574686f72697a6174696f6e2e6b38732e696f2f7631121653656c665375626a65637452756c657352657669657712230a100a0012001a0022002a0032003800420012090a0764656661756c741a04180022001a002200',
  'auth whoami':
    '6b3873000a2d0a1861757468656e7469636174696f6e2e6b38732e696f2f7631121153656c665375626a656374526576696577121a0a100a0012001a0022002a0032003800420012060a040a0012001a002200',
};

async function decode(bytes: Buffer): Promise<JsonObject> {
  const value = await decodeProtobuf(bytes);
  assert.ok(!(value instanceof UnknownKind));
  return value;
}

function encode(apiVersion: string, kind: string, object: JsonObject): Buffer {
  const schema = schemaOf(apiVersion, kind);
  assert.ok(schema !== undefined);
  return protobufBody(apiVersion, kind, schema, object);
}

const text = fc.string({ unit: 'binary', maxLength: 8 }).map((s) => s.toWellFormed());
const instant = fc.integer({ min: -62_000_000_000, max: 250_000_000_000 });

/** Schemas contain themselves; so deep is enough. */
const MAX_DEPTH = 5;

function valueOf(schema: StructuralSchema, depth: number): fc.Arbitrary<JsonValue> {
  const { items, additionalProperties } = schema;
  switch (schema.typed?.kind) {
    case 'string':
    case 'quantity':
      return text;
    case 'boolean':
      return fc.boolean();
    case 'int32':
      return fc.integer();
    case 'int64':
      return fc.maxSafeInteger();
    case 'float64':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'bytes':
      return fc.uint8Array({ maxLength: 5 }).map((b) => Buffer.from(b).toString('base64'));
    case 'time':
      return instant.map((s) => `${new Date(s * 1000).toISOString().slice(0, 19)}Z`);
    case 'microTime':
      return instant.map((s) => `${new Date(s * 1000).toISOString().slice(0, 19)}.250000Z`);
    case 'json':
    case 'raw':
      return fc.dictionary(text, fc.constantFrom<JsonValue>({}, 1, 'x'), { noNullPrototype: true });
    case 'intOrString':
      return fc.oneof(text, fc.integer());
    case 'list':
      return fc.array(valueOf(items!, depth), { minLength: 1, maxLength: 2 });
    case 'map':
      return fc.dictionary(text, valueOf(additionalProperties as StructuralSchema, depth), {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      });
    case 'union': {
      const variants = Object.values(schema.typed.variants!) as StructuralSchema[];
      return fc.oneof(...variants.map((variant) => valueOf(variant, depth)));
    }
    default:
      return objectOf(schema, depth + 1);
  }
}

function objectOf(schema: StructuralSchema, depth = 0): fc.Arbitrary<JsonObject> {
  const { numbers = {} } = schema.typed!;
  const fields = depth > MAX_DEPTH ? [] : Object.keys(numbers);
  const record = fc.record(
    Object.fromEntries(fields.map((name) => [name, valueOf(schema.properties!.get(name)!, depth)])),
    { requiredKeys: [], noNullPrototype: true },
  );
  return record as fc.Arbitrary<JsonObject>;
}

const KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ...[...builtinDefinitions(ALL_FEATURE_GATES), ...REVIEW_DEFINITIONS].map(
    ({ group, names, storageVersion }) =>
      [[group, storageVersion].filter(Boolean).join('/'), names.kind] as const,
  ),
  ['v1', 'Event'],
  ['v1', 'DeleteOptions'],
];

/** Every field below a type that has no number, by its path; the envelope holds apiVersion and kind. */
function unnumbered(schema: StructuralSchema, path: string, seen = new Set<unknown>()): string[] {
  const { typed, properties, items, additionalProperties } = schema;
  if (typed === undefined || seen.has(typed.numbers)) return [];
  if (typed.numbers !== undefined) seen.add(typed.numbers);
  const inside: [string, StructuralSchema][] = [
    ...(properties ?? []),
    ...(Object.entries(typed.variants ?? {}) as [string, StructuralSchema][]),
  ];
  const missing = inside
    .map(([name]) => name)
    .filter((name) => typed.numbers?.[name] === undefined)
    .filter((name) => path !== '' || !['apiVersion', 'kind'].includes(name))
    .map((name) => `${path}.${name}`);
  const below: [string, StructuralSchema][] = [...inside];
  if (items !== undefined) below.push(['[]', items]);
  if (typeof additionalProperties === 'object') below.push(['{}', additionalProperties]);
  return [
    ...missing,
    ...below.flatMap(([name, field]) => unnumbered(field, `${path}.${name}`, seen)),
  ];
}

describe('protobuf bodies', () => {
  const sent = (what: keyof typeof KUBECTL): Promise<JsonObject> =>
    decode(Buffer.from(KUBECTL[what], 'hex'));

  it('of kubectl are read', async () => {
    const namespace = (await sent('create namespace')) as { metadata: JsonObject } & JsonObject;
    assert.equal(namespace.apiVersion, 'v1');
    assert.equal(namespace.kind, 'Namespace');
    assert.equal(namespace.metadata.name, 'proto-x');
    assert.equal(namespace.metadata.creationTimestamp, null);
    const access = (await sent('auth can-i')) as {
      spec: { resourceAttributes: JsonObject };
    } & JsonObject;
    assert.equal(access.apiVersion, 'authorization.cluster.io/v1');
    assert.equal(access.kind, 'SelfSubjectAccessReview');
    assert.equal(access.spec.resourceAttributes.verb, 'get');
    assert.equal(access.spec.resourceAttributes.namespace, 'default');
    assert.equal((await sent('auth can-i --list')).kind, 'SelfSubjectRulesReview');
    assert.equal((await sent('auth whoami')).apiVersion, 'authentication.cluster.io/v1');
  });

  for (const [apiVersion, kind] of KINDS) {
    it(`have a number for every field of ${kind} ${apiVersion}`, () => {
      assert.deepEqual(unnumbered(schemaOf(apiVersion, kind)!, ''), []);
    });

    it(`hold every field of ${kind} ${apiVersion} (property)`, async () => {
      await fc.assert(
        fc.asyncProperty(objectOf(schemaOf(apiVersion, kind)!), async (object) => {
          const {
            apiVersion: _,
            kind: __,
            ...rest
          } = await decode(encode(apiVersion, kind, object));
          assert.deepEqual(rest, object);
        }),
        { numRuns: 40 },
      );
    });
  }

  it('use the names of Kubernetes for groups', async () => {
    const message = encode('coordination.cluster.io/v1', 'Lease', {
      spec: { leaseTransitions: 0 },
    });
    const renamed = Buffer.from(
      message.toString('latin1').replace('coordination.cluster.io', 'coordination.abcdefg.io'),
      'latin1',
    );
    assert.ok((await decodeProtobuf(renamed)) instanceof UnknownKind);
    assert.deepEqual(await decode(message), {
      apiVersion: 'coordination.cluster.io/v1',
      kind: 'Lease',
      spec: { leaseTransitions: 0 },
    });
  });

  it('of kinds that are not known are told apart', async () => {
    const body = encode('v1', 'DeleteOptions', { dryRun: ['All'] });
    const other = Buffer.from(
      body.toString('latin1').replace('DeleteOptions', 'GadgetOptions'),
      'latin1',
    );
    assert.deepEqual(await decodeProtobuf(other), new UnknownKind('v1', 'GadgetOptions'));
  });

  it('keep 64 bits, join what comes in parts, and pass over what is new', async () => {
    const raw = protobuf.Writer.create();
    raw
      .uint32(10)
      .fork()
      .uint32(10)
      .string('a')
      .uint32(8 * 99)
      .uint32(1)
      .ldelim();
    raw.uint32(8 * 98 + 5).fixed32(1);
    // metadata again: its generateName, and the largest generation there is
    raw.uint32(10).fork().uint32(18).string('b').uint32(56);
    const largest = { low: -1, high: 0x7fffffff, unsigned: true } as protobuf.Long;
    raw.uint64(largest).ldelim();
    const head = encode('v1', 'Namespace', {});
    const body = raw.finish();
    // the empty message at the end of the envelope is replaced
    const whole = Buffer.concat([head.subarray(0, -1), Buffer.from([body.length]), body]);
    assert.deepEqual(await decode(whole), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'a', generateName: 'b', generation: 9223372036854775807n },
    });
  });
});

describe('hostile protobuf', () => {
  const whole = encode('v1', 'Node', {
    metadata: { name: 'a', labels: { x: 'y' }, managedFields: [{ fieldsV1: { 'f:a': {} } }] },
    status: { capacity: { cpu: '1' }, images: [{ names: ['i'], sizeBytes: 5 }] },
  });

  async function survives(bytes: Buffer): Promise<void> {
    try {
      await decodeProtobuf(bytes);
    } catch (error) {
      assert.ok(error instanceof ProtobufError, String(error));
    }
  }

  it('is refused with its own error (property)', async () => {
    await assert.rejects(decodeProtobuf(Buffer.from('{}')), ProtobufError);
    await assert.rejects(decodeProtobuf(Buffer.alloc(0)), ProtobufError);
    for (let end = 0; end < whole.length; end++) await survives(whole.subarray(0, end));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.nat(whole.length - 1),
        async (at, byte, cut) => {
          const bytes = Buffer.from(whole);
          bytes[at] = byte;
          await survives(bytes);
          await survives(bytes.subarray(0, cut));
        },
      ),
      { numRuns: 3000 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (raw) => {
        const head = whole.subarray(0, whole.indexOf('Node') + 4);
        await survives(Buffer.concat([head, Buffer.from([0x12, raw.length]), raw]));
      }),
      { numRuns: 3000 },
    );
  });

  it('cannot reach prototypes', async () => {
    const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as JsonObject;
    const object = await decode(encode('v1', 'Namespace', { metadata: { labels } }));
    assert.equal(JSON.stringify(object.metadata), '{"labels":{"__proto__":"x","constructor":"y"}}');
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  it('is held to the depth of JSON', async () => {
    const nested = (depth: number): Buffer => {
      let schema: JsonObject = {};
      for (let i = 0; i < depth; i++) schema = { not: schema };
      const versions = [{ name: 'v1', schema: { openAPIV3Schema: schema } }];
      return encode('apiextensions.cluster.io/v1', 'CustomResourceDefinition', {
        spec: { versions },
      });
    };
    await decode(nested(500));
    await assert.rejects(decode(nested(MAX_JSON_DEPTH)), /exceeded max depth of 1000/);
  });

  it('is held to the number of fields of JSON, also inside of JSON', async () => {
    const finalizers = (length: number): Buffer =>
      encode('v1', 'Namespace', { spec: { finalizers: Array<string>(length).fill('') } });
    await decode(finalizers(MAX_REQUEST_FIELDS - 1));
    await assert.rejects(decode(finalizers(MAX_REQUEST_FIELDS)), /max number of 50000 fields/);
    const fieldsV1 = Object.fromEntries(
      Array.from({ length: MAX_REQUEST_FIELDS / 2 }, (_, i) => [`f:${i}`, 1]),
    );
    const managers = (count: number): Buffer =>
      encode('v1', 'Namespace', {
        metadata: { managedFields: Array<JsonObject>(count).fill({ fieldsV1 }) },
      });
    await decode(managers(1));
    await assert.rejects(decode(managers(2)), /max number of \d+ fields/);
  });
});
