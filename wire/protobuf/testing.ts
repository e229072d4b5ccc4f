import protobuf from 'protobufjs';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { isMessage, messageOf, type Member, type Message } from './message.ts';

/** For tests: a body written by another library, so that both are not wrong in the same way. */
export function protobufBody(
  apiVersion: string,
  kind: string,
  schema: StructuralSchema,
  object: JsonObject,
): Buffer {
  const writer = protobuf.Writer.create();
  writer.uint32(10).fork().uint32(10).string(apiVersion).uint32(18).string(kind).ldelim();
  const raw = protobuf.Writer.create();
  writeMessage(raw, messageOf(schema), object);
  writer.uint32(18).bytes(raw.finish());
  return Buffer.concat([Buffer.from('k8s\0'), writer.finish()]);
}

function writeMessage(writer: protobuf.Writer, message: Message, object: JsonObject): void {
  for (const [number, member] of message) writeMember(writer, number, member, object);
}

function writeMember(
  writer: protobuf.Writer,
  number: number,
  member: Member,
  object: JsonObject,
): void {
  if (isMessage(member)) {
    writer.uint32(number * 8 + 2).fork();
    writeMessage(writer, member, object);
    writer.ldelim();
    return;
  }
  const { schema, name } = member;
  const value = object[name];
  if (value === undefined) return;
  const { items, additionalProperties } = schema;
  if (schema.typed?.kind === 'list' && items !== undefined) {
    for (const item of value as JsonValue[]) writeValue(writer, number, items, item);
  } else if (schema.typed?.kind === 'map' && typeof additionalProperties === 'object') {
    for (const [key, item] of Object.entries(value as JsonObject)) {
      writer
        .uint32(number * 8 + 2)
        .fork()
        .uint32(10)
        .string(key);
      writeValue(writer, 2, additionalProperties, item);
      writer.ldelim();
    }
  } else {
    writeValue(writer, number, schema, value);
  }
}

function writeValue(
  writer: protobuf.Writer,
  number: number,
  schema: StructuralSchema,
  value: JsonValue,
): void {
  switch (schema.typed?.kind) {
    case 'boolean':
      writer.uint32(number * 8).bool(value as boolean);
      return;
    case 'int32':
      writer.uint32(number * 8).int32(value as number);
      return;
    case 'int64': {
      const bits = protobuf.util.LongBits.from(Number(value));
      writer.uint32(number * 8).int64(bits.toNumber(false));
      return;
    }
    case 'float64':
      writer.uint32(number * 8 + 1).double(value as number);
      return;
    case 'string':
      writer.uint32(number * 8 + 2).string(value as string);
      return;
    case 'bytes':
      writer.uint32(number * 8 + 2).bytes(Buffer.from(value as string, 'base64'));
      return;
    default:
      writer.uint32(number * 8 + 2).fork();
      writeNested(writer, schema, value);
      writer.ldelim();
  }
}

function writeNested(writer: protobuf.Writer, schema: StructuralSchema, value: JsonValue): void {
  switch (schema.typed?.kind) {
    case 'time':
    case 'microTime':
      if (value === null) return;
      writer.uint32(8).int64(Math.floor(Date.parse(value as string) / 1000));
      writer.uint32(16).int32(Number(`0${(/\.\d+/.exec(value as string) ?? [''])[0]}`) * 1e9);
      return;
    case 'quantity':
      writer.uint32(10).string(value as string);
      return;
    case 'json':
    case 'raw':
      writer.uint32(10).string(JSON.stringify(value));
      return;
    case 'intOrString':
      writer.uint32(8).int32(typeof value === 'string' ? 1 : 0);
      if (typeof value === 'string') writer.uint32(26).string(value);
      else writer.uint32(16).int32(value as number);
      return;
    case 'list':
      for (const item of value as JsonValue[]) {
        if (schema.items !== undefined) writeValue(writer, 1, schema.items, item);
      }
      return;
    case 'union': {
      const variant = Array.isArray(value)
        ? 'array'
        : typeof value === 'boolean'
          ? 'boolean'
          : 'object';
      writeMessage(writer, messageOf(schema), { [variant]: value });
      return;
    }
    default:
      writeMessage(writer, messageOf(schema), value as JsonObject);
  }
}
