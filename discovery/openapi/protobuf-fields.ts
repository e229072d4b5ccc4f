import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { stringifyJson } from '../../api/json-write.ts';
import type { ProtobufWriter } from '../../api/protobuf/writer.ts';

/*
 * Words in which to say how the members of JSON objects become fields of protobuf
 * messages. The writer goes from the last byte to the first, so lists and members
 * are taken from their ends.
 */

/** Writes one field of a message. */
export type WriteField = (writer: ProtobufWriter, value: JsonValue) => void;

/** How the members of a JSON object become the fields of a message. */
export interface Message {
  readonly fields: ReadonlyMap<string, WriteField>;
  /** Number of the field for members that begin with `x-`. */
  readonly extensions: number | undefined;
}

/** Writes a string; any other value is left out. */
export function string(id: number): WriteField {
  return (writer, value) => {
    if (typeof value === 'string') writer.text(id, value);
  };
}

/** Writes `true` only: protobuf leaves out a field that has its default. */
export function bool(id: number): WriteField {
  return (writer, value) => {
    if (value === true) writer.integer(id, 1);
  };
}

/** Writes a number in eight bytes; any other value is left out. */
export function double(id: number): WriteField {
  return (writer, value) => {
    if (isNumber(value)) writer.double(id, Number(value));
  };
}

/** Lengths and counts, none of which reaches 2^53; what is none is left out. */
export function int64(id: number): WriteField {
  return (writer, value) => {
    const count = isNumber(value) ? Number(value) : -1;
    if (Number.isSafeInteger(count) && count >= 0) writer.chosen(id, count);
  };
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Each of a list. */
export function each(field: WriteField): WriteField {
  return (writer, value) => {
    if (!Array.isArray(value)) return;
    for (const item of value.toReversed()) field(writer, item);
  };
}

/** A message whose fields `inner` writes. */
export function nested(id: number, inner: WriteField): WriteField {
  return (writer, value) => {
    const mark = writer.mark();
    inner(writer, value);
    writer.message(id, mark);
  };
}

/** Any value: as YAML, of which JSON is a part. */
export function any(id: number): WriteField {
  return nested(id, (writer, value) => writer.text(2, `${stringifyJson(value)}\n`));
}

/** Named values, one message each. */
export function named(id: number, value: WriteField): WriteField {
  return (writer, object) => {
    if (!isObject(object)) return;
    for (const [name, item] of Object.entries(object).toReversed()) {
      writeNamed(writer, id, name, item, value);
    }
  };
}

/** One of {@link named}. */
export function writeNamed(
  writer: ProtobufWriter,
  id: number,
  name: string,
  value: JsonValue,
  field: WriteField,
): void {
  const mark = writer.mark();
  field(writer, value);
  writer.text(1, name);
  writer.message(id, mark);
}

/** Its parts are looked up when they are needed, since schemas contain schemas. */
export function message(id: number, of: () => Message): WriteField {
  return nested(id, (writer, value) => {
    if (isObject(value)) writeMembers(writer, value, of());
  });
}

function writeMembers(writer: ProtobufWriter, object: JsonObject, of: Message): void {
  for (const [key, value] of Object.entries(object).toReversed()) {
    writeMember(writer, key, value, of);
  }
}

/** One member of an object, as a field of the message that the object becomes. */
export function writeMember(
  writer: ProtobufWriter,
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

/**
 * A message by the JSON names of its fields. `extensions` is the field that takes the
 * `x-` members.
 */
export function messageOf(fields: Record<string, WriteField>, extensions?: number): Message {
  return { fields: new Map(Object.entries(fields)), extensions };
}
