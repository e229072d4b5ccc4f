import { isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { JsonSyntaxError } from '../../api/json-error.ts';
import { parseJson } from '../../api/json-parse.ts';
import { formatMicroTime, formatTime } from '../../api/time.ts';
import type { Field, FieldType, Message } from './message.ts';
import { ProtobufError, WIRE, type ProtobufReader } from './reader.ts';

/**
 * A message as the JSON of its kind. Unknown fields are passed over; what was
 * written twice counts once, or is joined where it is a message.
 *
 * @throws ProtobufError
 */
export function decodeMessage(
  reader: ProtobufReader,
  message: Message,
  into: JsonObject = {},
): JsonObject {
  while (!reader.atEnd) {
    const { field: number, wire } = reader.tag();
    const field = message.fields.get(number);
    if (field === undefined) reader.skip(wire);
    else readField(reader, wire, field, into);
  }
  return into;
}

function readField(reader: ProtobufReader, wire: number, field: Field, into: JsonObject): void {
  const { name, type, label } = field;
  const present = into[name];
  if (label === 'map') {
    expect(wire, WIRE.BYTES, name);
    const map = isObject(present) ? present : {};
    readEntry(reader.nested(), type, name, map);
    into[name] = map;
  } else if (label === 'many') {
    const list = Array.isArray(present) ? present : [];
    list.push(readValue(reader, wire, type, name, undefined));
    into[name] = list;
  } else {
    into[name] = readValue(reader, wire, type, name, present);
  }
}

function expect(wire: number, expected: number, name: string): void {
  if (wire !== expected) throw new ProtobufError(`wrong wire type ${wire} for field ${name}`);
}

function readValue(
  reader: ProtobufReader,
  wire: number,
  type: FieldType,
  name: string,
  present: JsonValue | undefined,
): JsonValue {
  if (type === 'bool' || type === 'int32' || type === 'int64') {
    expect(wire, WIRE.VARINT, name);
    const value = reader.varint();
    return type === 'bool' ? Number(value) !== 0 : signed(value, type === 'int32' ? 32 : 64);
  }
  expect(wire, WIRE.BYTES, name);
  switch (type) {
    case 'string':
      return reader.text();
    case 'time':
    case 'microTime':
      return readTime(reader.nested(), type);
    case 'quantity':
      return readTexts(reader.nested()).at(-1) ?? '0';
    case 'texts':
      return readTexts(reader.nested());
    case 'json':
      return readJson(reader.nested());
    default:
      return decodeMessage(reader.nested(), type, isObject(present) ? present : {});
  }
}

/** Integers are written as two's complement; beyond 2^53 they stay exact. */
function signed(value: number | bigint, bits: 32 | 64): number | bigint {
  if (typeof value === 'number' && value < 2 ** (bits - 1)) return value;
  const exact = BigInt.asIntN(bits, BigInt(value));
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

function readEntry(reader: ProtobufReader, type: FieldType, name: string, map: JsonObject): void {
  let key = '';
  let value: JsonValue | undefined;
  while (!reader.atEnd) {
    const { field, wire } = reader.tag();
    if (field === 1) {
      expect(wire, WIRE.BYTES, name);
      key = reader.text();
    } else if (field === 2) {
      value = readValue(reader, wire, type, name, undefined);
    } else {
      reader.skip(wire);
    }
  }
  setOwn(map, key, value ?? emptyValue(type));
}

/** What a map's entry without a value holds. */
function emptyValue(type: FieldType): JsonValue {
  return type === 'texts' ? [] : type === 'quantity' ? '0' : '';
}

/** Field 1, all of them. */
function readTexts(reader: ProtobufReader): string[] {
  const texts: string[] = [];
  while (!reader.atEnd) {
    const { field, wire } = reader.tag();
    if (field === 1 && wire === WIRE.BYTES) texts.push(reader.text());
    else reader.skip(wire);
  }
  return texts;
}

/** The zero time is written as an empty message, and counts as unset. */
function readTime(reader: ProtobufReader, type: 'time' | 'microTime'): JsonValue {
  if (isAtEnd(reader)) return null;
  let seconds: number | bigint = 0;
  let nanoseconds: number | bigint = 0;
  do {
    const { field, wire } = reader.tag();
    if (field === 1 && wire === WIRE.VARINT) seconds = signed(reader.varint(), 64);
    else if (field === 2 && wire === WIRE.VARINT) nanoseconds = signed(reader.varint(), 32);
    else reader.skip(wire);
  } while (!isAtEnd(reader));
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanoseconds < 0 || nanoseconds >= 1e9) {
    throw new ProtobufError('a time is out of range');
  }
  const micros = BigInt(seconds) * 1_000_000n + BigInt(nanoseconds) / 1000n;
  return type === 'time' ? formatTime(Number(seconds) * 1000) : formatMicroTime(micros);
}

function isAtEnd(reader: ProtobufReader): boolean {
  return reader.atEnd;
}

const FIRST_SECOND = Date.parse('0000-01-01T00:00:00Z') / 1000;
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000;

function readJson(reader: ProtobufReader): JsonValue {
  const text = readTexts(reader).at(-1) ?? '';
  if (text === '') return null;
  try {
    return parseJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ProtobufError(error.message, { cause: error });
  }
}
