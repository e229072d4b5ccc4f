import assert from 'node:assert/strict';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { decodeProtobuf, UnknownKind } from './envelope.ts';
import type { Field, FieldType, Message } from './message.ts';
import { messageOf } from './kinds.ts';
import { ProtobufError } from './reader.ts';

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

function decode(bytes: Buffer): JsonObject {
  const value = decodeProtobuf(bytes);
  assert.ok(!(value instanceof UnknownKind));
  return value;
}

/** Another's writer, so that both are not wrong in the same way. */
function encode(apiVersion: string, kind: string, object: JsonObject): Buffer {
  const message = messageOf(apiVersion, kind);
  assert.ok(message !== undefined);
  const writer = protobuf.Writer.create();
  writer.uint32(10).fork().uint32(10).string(apiVersion).uint32(18).string(kind).ldelim();
  const raw = protobuf.Writer.create();
  writeMessage(raw, message, object);
  writer.uint32(18).bytes(raw.finish());
  return Buffer.concat([Buffer.from('k8s\0'), writer.finish()]);
}

function writeMessage(writer: protobuf.Writer, message: Message, object: JsonObject): void {
  for (const [number, field] of message.fields) {
    const value = object[field.name];
    if (value !== undefined) writeField(writer, number, field, value);
  }
}

function writeField(writer: protobuf.Writer, number: number, field: Field, value: JsonValue): void {
  const { type, label } = field;
  if (label === 'many') {
    for (const item of value as JsonValue[]) writeValue(writer, number, type, item);
  } else if (label === 'map') {
    for (const [key, item] of Object.entries(value as JsonObject)) {
      writer
        .uint32(number * 8 + 2)
        .fork()
        .uint32(10)
        .string(key);
      writeValue(writer, 2, type, item);
      writer.ldelim();
    }
  } else {
    writeValue(writer, number, type, value);
  }
}

function writeValue(
  writer: protobuf.Writer,
  number: number,
  type: FieldType,
  value: JsonValue,
): void {
  if (type === 'bool') writer.uint32(number * 8).bool(value as boolean);
  else if (type === 'int32') writer.uint32(number * 8).int32(value as number);
  else if (type === 'int64') {
    const bits = protobuf.util.LongBits.from(Number(value));
    writer.uint32(number * 8).int64(bits.toNumber(false));
  } else if (type === 'string') writer.uint32(number * 8 + 2).string(value as string);
  else writeNested(writer.uint32(number * 8 + 2).fork(), type, value).ldelim();
}

function writeNested(
  writer: protobuf.Writer,
  type: Exclude<FieldType, 'bool' | 'int32' | 'int64' | 'string'>,
  value: JsonValue,
): protobuf.Writer {
  switch (type) {
    case 'time':
    case 'microTime':
      if (value === null) return writer;
      writer.uint32(8).int64(Math.floor(Date.parse(value as string) / 1000));
      return writer
        .uint32(16)
        .int32(Number(`0${(/\.\d+/.exec(value as string) ?? [''])[0]}`) * 1e9);
    case 'quantity':
      return writer.uint32(10).string(value as string);
    case 'json':
      return writer.uint32(10).string(JSON.stringify(value));
    case 'texts':
      for (const text of value as string[]) writer.uint32(10).string(text);
      return writer;
    default:
      writeMessage(writer, type, value as JsonObject);
      return writer;
  }
}

const text = fc.string({ unit: 'binary', maxLength: 8 }).map((s) => s.toWellFormed());
const instant = fc.integer({ min: -62_000_000_000, max: 250_000_000_000 });

function valueOf(type: FieldType): fc.Arbitrary<JsonValue> {
  switch (type) {
    case 'string':
    case 'quantity':
      return text;
    case 'bool':
      return fc.boolean();
    case 'int32':
      return fc.integer();
    case 'int64':
      return fc.maxSafeInteger();
    case 'time':
      return instant.map((s) => `${new Date(s * 1000).toISOString().slice(0, 19)}Z`);
    case 'microTime':
      return instant.map((s) => `${new Date(s * 1000).toISOString().slice(0, 19)}.250000Z`);
    case 'json':
      return fc.dictionary(text, fc.constantFrom<JsonValue>({}, 1, 'x'), { noNullPrototype: true });
    case 'texts':
      return fc.array(text, { maxLength: 3 });
    default:
      return objectOf(type);
  }
}

function objectOf(message: Message): fc.Arbitrary<JsonObject> {
  const fields = [...message.fields.values()].map(({ name, type, label }) => {
    const value = valueOf(type);
    const labelled: fc.Arbitrary<JsonValue> =
      label === 'one'
        ? value
        : label === 'many'
          ? fc.array(value, { minLength: 1, maxLength: 2 })
          : fc.dictionary(text, value, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
    return [name, labelled] as const;
  });
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: [], noNullPrototype: true });
  return record as fc.Arbitrary<JsonObject>;
}

const KINDS = [
  ['v1', 'Namespace'],
  ['v1', 'Node'],
  ['v1', 'Event'],
  ['coordination.cluster.io/v1', 'Lease'],
  ['coordination.cluster.io/v1beta1', 'LeaseCandidate'],
  ['events.cluster.io/v1', 'Event'],
  ['authorization.cluster.io/v1', 'SelfSubjectAccessReview'],
  ['authorization.cluster.io/v1', 'LocalSubjectAccessReview'],
  ['authorization.cluster.io/v1', 'SelfSubjectRulesReview'],
  ['authentication.cluster.io/v1', 'SelfSubjectReview'],
  ['authentication.cluster.io/v1', 'TokenReview'],
  ['v1', 'DeleteOptions'],
] as const;

describe('protobuf bodies', () => {
  const sent = (what: keyof typeof KUBECTL): JsonObject =>
    decode(Buffer.from(KUBECTL[what], 'hex'));

  it('of kubectl are read', () => {
    const namespace = sent('create namespace') as { metadata: JsonObject } & JsonObject;
    assert.equal(namespace.apiVersion, 'v1');
    assert.equal(namespace.kind, 'Namespace');
    assert.equal(namespace.metadata.name, 'proto-x');
    assert.equal(namespace.metadata.creationTimestamp, null);
    const access = sent('auth can-i') as { spec: { resourceAttributes: JsonObject } } & JsonObject;
    assert.equal(access.apiVersion, 'authorization.cluster.io/v1');
    assert.equal(access.kind, 'SelfSubjectAccessReview');
    assert.equal(access.spec.resourceAttributes.verb, 'get');
    assert.equal(access.spec.resourceAttributes.namespace, 'default');
    assert.equal(sent('auth can-i --list').kind, 'SelfSubjectRulesReview');
    assert.equal(sent('auth whoami').apiVersion, 'authentication.cluster.io/v1');
  });

  for (const [apiVersion, kind] of KINDS) {
    it(`hold every field of ${kind} ${apiVersion} (property)`, () => {
      const message = messageOf(apiVersion, kind);
      assert.ok(message !== undefined);
      fc.assert(
        fc.property(objectOf(message), (object) => {
          const { apiVersion: _, kind: __, ...rest } = decode(encode(apiVersion, kind, object));
          assert.deepEqual(rest, object);
        }),
        { numRuns: 60 },
      );
    });
  }

  it('use the names of Kubernetes for groups', () => {
    const message = encode('coordination.cluster.io/v1', 'Lease', {
      spec: { leaseTransitions: 0 },
    });
    const renamed = Buffer.from(
      message.toString('latin1').replace('coordination.cluster.io', 'coordination.abcdefg.io'),
      'latin1',
    );
    assert.ok(decodeProtobuf(renamed) instanceof UnknownKind);
    assert.deepEqual(decode(message), {
      apiVersion: 'coordination.cluster.io/v1',
      kind: 'Lease',
      spec: { leaseTransitions: 0 },
    });
  });

  it('of kinds that are not known are told apart', () => {
    const body = encode('v1', 'DeleteOptions', { dryRun: ['All'] });
    const other = Buffer.from(
      body.toString('latin1').replace('DeleteOptions', 'GadgetOptions'),
      'latin1',
    );
    assert.deepEqual(decodeProtobuf(other), new UnknownKind('v1', 'GadgetOptions'));
  });

  it('keep 64 bits, join what comes in parts, and pass over what is new', () => {
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
    assert.deepEqual(decode(whole), {
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

  function survives(bytes: Buffer): void {
    try {
      decodeProtobuf(bytes);
    } catch (error) {
      assert.ok(error instanceof ProtobufError, String(error));
    }
  }

  it('is refused as what it is (property)', () => {
    assert.throws(() => decodeProtobuf(Buffer.from('{}')), ProtobufError);
    assert.throws(() => decodeProtobuf(Buffer.alloc(0)), ProtobufError);
    for (let end = 0; end < whole.length; end++) survives(whole.subarray(0, end));
    fc.assert(
      fc.property(
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.nat(whole.length - 1),
        (at, byte, cut) => {
          const bytes = Buffer.from(whole);
          bytes[at] = byte;
          survives(bytes);
          survives(bytes.subarray(0, cut));
        },
      ),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (raw) => {
        const head = whole.subarray(0, whole.indexOf('Node') + 4);
        survives(Buffer.concat([head, Buffer.from([0x12, raw.length]), raw]));
      }),
      { numRuns: 3000 },
    );
  });

  it('cannot reach prototypes', () => {
    const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as JsonObject;
    const object = decode(encode('v1', 'Namespace', { metadata: { labels } }));
    assert.equal(JSON.stringify(object.metadata), '{"labels":{"__proto__":"x","constructor":"y"}}');
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });
});
