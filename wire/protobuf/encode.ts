import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { stringifyJson } from '../../api/json-write.ts';
import type { ProtobufWriter } from '../../api/protobuf/writer.ts';
import { extensionKey } from '../../api/schema-extensions.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { isMessage, itemsOf, messageOf, valuesOf, type Member, type Message } from './message.ts';
import { writeInteger, writeIntOrString, writeTime } from './scalar-writers.ts';

/** The numbers of a map's entry, and of a list that is a message of its own. */
const ENTRY = { KEY: 1, VALUE: 2 } as const;
const ITEMS = 1;

/**
 * Writes the fields of a JSON object as a message, by the numbers that its schema
 * has: what `decode.ts` reads. The writer goes backwards, so the last field is
 * written first. A field that is null is left out, as clients leave it out.
 */
export function* messageSteps(
  writer: ProtobufWriter,
  schema: StructuralSchema,
  object: JsonObject,
): Steps<void> {
  yield* fieldSteps(writer, messageOf(schema), object);
}

function* fieldSteps(writer: ProtobufWriter, message: Message, object: JsonObject): Steps<void> {
  for (const [number, member] of backwards(message)) {
    if (isMessage(member)) {
      const mark = writer.mark();
      yield* fieldSteps(writer, member, object);
      if (writer.mark() > mark) writer.message(number, mark);
      continue;
    }
    const value = valueOf(object, member.name);
    if (value === undefined || value === null) continue;
    if (isStepOver()) yield;
    yield* memberSteps(writer, number, member.schema, value);
  }
}

/** By either spelling: under the alias, schemas show `x-kubernetes-*`. */
function valueOf(object: JsonObject, name: string): JsonValue | undefined {
  const value = getOwn(object, name);
  if (value !== undefined || !name.startsWith('x-')) return value;
  return getOwn(object, extensionKey(name, 'kubernetes'));
}

function* memberSteps(
  writer: ProtobufWriter,
  number: number,
  schema: StructuralSchema,
  value: JsonValue,
): Steps<void> {
  switch (schema.typed?.kind) {
    case 'list':
      yield* itemSteps(writer, number, schema, value);
      return;
    case 'map':
      for (const [key, entry] of Object.entries(objectOf(value)).reverse()) {
        if (isStepOver()) yield;
        const mark = writer.mark();
        yield* valueSteps(writer, ENTRY.VALUE, valuesOf(schema), entry);
        writer.text(ENTRY.KEY, key);
        writer.message(number, mark);
      }
      return;
    default:
      yield* valueSteps(writer, number, schema, value);
  }
}

function* itemSteps(
  writer: ProtobufWriter,
  number: number,
  schema: StructuralSchema,
  value: JsonValue,
): Steps<void> {
  if (!Array.isArray(value)) throw new Error('expected a list');
  const items = itemsOf(schema);
  for (let i = value.length - 1; i >= 0; i--) {
    if (isStepOver()) yield;
    yield* valueSteps(writer, number, items, value[i] ?? null);
  }
}

function* valueSteps(
  writer: ProtobufWriter,
  number: number,
  schema: StructuralSchema,
  value: JsonValue,
): Steps<void> {
  switch (schema.typed?.kind) {
    case 'boolean':
      writer.chosen(number, value === true ? 1 : 0);
      return;
    case 'int32':
    case 'int64':
      writeInteger(writer, number, value as number | bigint);
      return;
    case 'float64':
      writer.double(number, Number(value));
      return;
    case 'string':
      writer.text(number, textOf(value));
      return;
    case 'bytes':
      writer.bytes(number, Buffer.from(textOf(value), 'base64'));
      return;
    default: {
      const mark = writer.mark();
      yield* nestedSteps(writer, schema, value);
      writer.message(number, mark);
    }
  }
}

/** A value that is a message of its own. */
function* nestedSteps(
  writer: ProtobufWriter,
  schema: StructuralSchema,
  value: JsonValue,
): Steps<void> {
  const kind = schema.typed?.kind;
  switch (kind) {
    case 'time':
    case 'microTime':
      writeTime(writer, textOf(value), kind);
      return;
    case 'quantity':
      writer.text(1, textOf(value));
      return;
    case 'intOrString':
      writeIntOrString(writer, value as number | string);
      return;
    case 'json':
    case 'raw':
      writer.text(1, stringifyJson(value));
      return;
    case 'list':
      yield* itemSteps(writer, ITEMS, schema, value);
      return;
    case 'union':
      yield* messageSteps(writer, schema, chosenOf(schema, value));
      return;
    default:
      yield* messageSteps(writer, schema, objectOf(value));
  }
}

/** A schema in the place of a boolean means true, and is written with it. */
function chosenOf({ typed }: StructuralSchema, value: JsonValue): JsonObject {
  if (typeof value === 'boolean') return { boolean: value };
  if (Array.isArray(value)) return { array: value };
  return typed?.variants?.boolean === undefined
    ? { object: value }
    : { boolean: true, object: value };
}

function textOf(value: JsonValue): string {
  if (typeof value !== 'string') throw new Error('expected a string');
  return value;
}

function objectOf(value: JsonValue): JsonObject {
  if (!isObject(value)) throw new Error('expected an object');
  return value;
}

const reversed = new WeakMap<Message, readonly (readonly [number, Member])[]>();

/** The members from the highest number to the lowest. */
function backwards(message: Message): readonly (readonly [number, Member])[] {
  let members = reversed.get(message);
  if (members === undefined) {
    members = [...message].sort(([a], [b]) => b - a);
    reversed.set(message, members);
  }
  return members;
}
