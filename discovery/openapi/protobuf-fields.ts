import type protobuf from 'protobufjs/minimal.js';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { stringifyJson } from '../../api/json-write.ts';

/* Words in which to say how the members of JSON objects become fields of protobuf messages. */

type Writer = protobuf.Writer;
/** Writes one field of a message. */
export type WriteField = (writer: Writer, value: JsonValue) => void;

/** How the members of a JSON object become the fields of a message. */
export interface Message {
  readonly fields: ReadonlyMap<string, WriteField>;
  /** Number of the field for members that begin with `x-`. */
  readonly extensions: number | undefined;
}

export const VARINT = 0;
const FIXED64 = 1;
export const BYTES = 2;

export const tag = (writer: Writer, id: number, type: number): Writer =>
  writer.uint32((id << 3) | type);

export function string(id: number): WriteField {
  return (writer, value) => {
    if (typeof value === 'string') tag(writer, id, BYTES).string(value);
  };
}

export function bool(id: number): WriteField {
  return (writer, value) => {
    if (value === true) tag(writer, id, VARINT).bool(true);
  };
}

export function double(id: number): WriteField {
  return (writer, value) => {
    if (isNumber(value)) tag(writer, id, FIXED64).double(Number(value));
  };
}

/** Lengths and counts, none of which reaches 2^53. */
export function int64(id: number): WriteField {
  return (writer, value) => {
    if (isNumber(value)) tag(writer, id, VARINT).int64(Number(value));
  };
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Each of a list. */
export function each(field: WriteField): WriteField {
  return (writer, value) => {
    if (Array.isArray(value)) for (const item of value) field(writer, item);
  };
}

/** A message whose fields `inner` writes. */
export function nested(id: number, inner: WriteField): WriteField {
  return (writer, value) => {
    tag(writer, id, BYTES).fork();
    inner(writer, value);
    writer.ldelim();
  };
}

/** Any value: as YAML, of which JSON is a part. */
export function any(id: number): WriteField {
  return nested(id, (writer, value) => tag(writer, 2, BYTES).string(`${stringifyJson(value)}\n`));
}

/** Named values, one message each. */
export function named(id: number, value: WriteField): WriteField {
  return (writer, object) => {
    if (!isObject(object)) return;
    for (const [name, item] of Object.entries(object)) writeNamed(writer, id, name, item, value);
  };
}

/** One of {@link named}. */
export function writeNamed(
  writer: Writer,
  id: number,
  name: string,
  value: JsonValue,
  field: WriteField,
): void {
  tag(writer, id, BYTES).fork();
  tag(writer, 1, BYTES).string(name);
  field(writer, value);
  writer.ldelim();
}

/** Its parts are looked up when they are needed, since schemas contain schemas. */
export function message(id: number, of: () => Message): WriteField {
  return nested(id, (writer, value) => {
    if (isObject(value)) writeMembers(writer, value, of());
  });
}

function writeMembers(writer: Writer, object: JsonObject, of: Message): void {
  for (const [key, value] of Object.entries(object)) writeMember(writer, key, value, of);
}

/** One member of an object, as a field of the message that the object becomes. */
export function writeMember(
  writer: Writer,
  key: string,
  value: JsonValue,
  { fields, extensions }: Message,
): void {
  const field = fields.get(key);
  if (field !== undefined) field(writer, value);
  else if (extensions !== undefined && key.startsWith('x-')) {
    writeNamed(writer, extensions, key, value, any(2));
  }
}

export function messageOf(fields: Record<string, WriteField>, extensions?: number): Message {
  return { fields: new Map(Object.entries(fields)), extensions };
}
