import { isObject, type JsonObject } from '../../api/json.ts';
import { ProtobufWriter } from '../../api/protobuf/writer.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import {
  any,
  bool,
  double,
  each,
  int64,
  message,
  messageOf,
  named,
  nested,
  string,
  writeMember,
  writeNamed,
  type Message,
  type WriteField,
} from './protobuf-fields.ts';

/*
 * OpenAPI 2 as the protobuf messages of gnostic (openapi.v2), which clients
 * written in Go prefer to JSON. Only what documents of this room contain.
 * Numbers: google/gnostic-models, openapiv2/OpenAPIv2.proto.
 */

/** Fields of a schema that hold schemas. */
const FIELD = { additionalProperties: 21, items: 23, properties: 25 };
const FIELDS_OF_SCHEMAS: ReadonlyMap<string, number> = new Map(Object.entries(FIELD));

const SCHEMA: Message = messageOf(
  {
    $ref: string(1),
    format: string(2),
    title: string(3),
    description: string(4),
    default: any(5),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: bool(8),
    minimum: double(9),
    exclusiveMinimum: bool(10),
    maxLength: int64(11),
    minLength: int64(12),
    pattern: string(13),
    maxItems: int64(14),
    minItems: int64(15),
    uniqueItems: bool(16),
    maxProperties: int64(17),
    minProperties: int64(18),
    required: each(string(19)),
    enum: each(any(20)),
    additionalProperties: nested(FIELD.additionalProperties, (writer, value) => {
      if (typeof value === 'boolean') writer.chosen(2, value ? 1 : 0);
      else schema(1)(writer, value);
    }),
    type: nested(22, string(1)),
    items: nested(FIELD.items, (writer, value) => schema(1)(writer, value)),
    properties: nested(FIELD.properties, (writer, value) => named(1, schema(2))(writer, value)),
  },
  31,
);

function schema(id: number): WriteField {
  return message(id, () => SCHEMA);
}

const BODY_PARAMETER = messageOf({
  description: string(1),
  name: string(2),
  in: string(3),
  required: bool(4),
  schema: schema(5),
});

const QUERY_PARAMETER = messageOf({
  required: bool(1),
  in: string(2),
  description: string(3),
  name: string(4),
  type: string(6),
  uniqueItems: bool(20),
});

const PATH_PARAMETER = messageOf({
  required: bool(1),
  in: string(2),
  description: string(3),
  name: string(4),
  type: string(5),
  uniqueItems: bool(19),
});

/** ParametersItem → Parameter → one of the kinds of parameters. */
function parameters(id: number): WriteField {
  return each(
    nested(
      id,
      nested(1, (writer, value) => {
        if (!isObject(value)) return;
        if (value['in'] === 'body') message(1, () => BODY_PARAMETER)(writer, value);
        else if (value['in'] === 'path') {
          nested(
            2,
            message(4, () => PATH_PARAMETER),
          )(writer, value);
        } else {
          nested(
            2,
            message(3, () => QUERY_PARAMETER),
          )(writer, value);
        }
      }),
    ),
  );
}

const RESPONSE = messageOf({ description: string(1), schema: nested(2, schema(1)) });

const OPERATION = messageOf(
  {
    tags: each(string(1)),
    description: string(3),
    operationId: string(5),
    produces: each(string(6)),
    consumes: each(string(7)),
    parameters: parameters(8),
    responses: nested(
      9,
      named(
        1,
        nested(
          2,
          message(1, () => RESPONSE),
        ),
      ),
    ),
  },
  13,
);

const operation = (id: number): WriteField => message(id, () => OPERATION);

const PATH_ITEM = messageOf(
  {
    get: operation(2),
    put: operation(3),
    post: operation(4),
    delete: operation(5),
    patch: operation(8),
    parameters: parameters(9),
  },
  10,
);

const INFO = messageOf({ title: string(1), version: string(2) });
const API_KEY = messageOf({
  type: string(1),
  name: string(2),
  in: string(3),
  description: string(4),
});

/** What most parts of a document fit in; the writer grows where they do not. */
const PART_BYTES = 4_096;

/** The fields of the document except its paths and definitions. */
export function encodeHead(swagger: string, info: JsonObject, security: JsonObject): Uint8Array {
  const writer = new ProtobufWriter(PART_BYTES);
  nested(
    13,
    named(
      1,
      nested(
        2,
        message(2, () => API_KEY),
      ),
    ),
  )(writer, security);
  const requirement = Object.fromEntries(Object.keys(security).map((name) => [name, []]));
  nested(
    12,
    named(
      1,
      nested(2, () => undefined),
    ),
  )(writer, requirement);
  message(2, () => INFO)(writer, info);
  string(1)(writer, swagger);
  return writer.finish();
}

/** One path, as a piece of what {@link encodeDocument} takes. */
export function encodePath(name: string, item: JsonObject): Uint8Array {
  const writer = new ProtobufWriter(PART_BYTES);
  named(
    2,
    message(2, () => PATH_ITEM),
  )(writer, { [name]: item });
  return writer.finish();
}

/** One definition, as a piece of what {@link encodeDocument} takes; in steps. */
export function* definitionSteps(name: string, definition: JsonObject): Steps<Uint8Array> {
  const writer = new ProtobufWriter(PART_BYTES);
  yield* writeNamedSteps(writer, { [name]: definition });
  return writer.finish();
}

/** Schemas by their names, in steps: one definition may have tens of thousands of properties. */
function* writeNamedSteps(writer: ProtobufWriter, schemas: JsonObject): Steps<void> {
  for (const [name, value] of Object.entries(schemas).toReversed()) {
    if (isObject(value) && holdsSchemas(value)) {
      const mark = writer.mark();
      yield* writeSchemaSteps(writer, 2, value);
      writer.text(1, name);
      writer.message(1, mark);
    } else {
      writeNamed(writer, 1, name, value, schema(2));
    }
    if (isStepOver()) yield;
  }
}

function holdsSchemas({ properties, items, additionalProperties }: JsonObject): boolean {
  return isObject(properties) || isObject(items) || isObject(additionalProperties);
}

function* writeSchemaSteps(writer: ProtobufWriter, id: number, object: JsonObject): Steps<void> {
  const mark = writer.mark();
  for (const [key, value] of Object.entries(object).toReversed()) {
    const field = isObject(value) ? FIELDS_OF_SCHEMAS.get(key) : undefined;
    if (!isObject(value) || field === undefined) {
      writeMember(writer, key, value, SCHEMA);
      continue;
    }
    const inner = writer.mark();
    if (key === 'properties') yield* writeNamedSteps(writer, value);
    else yield* writeSchemaSteps(writer, 1, value);
    writer.message(field, inner);
  }
  writer.message(id, mark);
}

/** The whole document of its head, its paths and its definitions. */
export function encodeDocument(
  head: Uint8Array,
  paths: readonly Uint8Array[],
  definitions: readonly Uint8Array[],
): Buffer {
  return Buffer.concat([
    head,
    lengthOf(8, paths),
    ...paths,
    lengthOf(9, definitions),
    ...definitions,
  ]);
}

/** What stands before the bytes of a nested message. */
function lengthOf(id: number, pieces: readonly Uint8Array[]): Uint8Array {
  const writer = new ProtobufWriter(PREFIX_BYTES);
  writer.length(
    id,
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  );
  return writer.finish();
}

/** More than a tag and a length take. */
const PREFIX_BYTES = 20;
