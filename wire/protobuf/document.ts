import type { JsonObject } from '../../api/json.ts';
import { storedJsonSteps } from '../../api/json-parse.ts';
import { neutralApiVersion } from '../../api/naming.ts';
import { ProtobufWriter } from '../../api/protobuf/writer.ts';
import type { Steps } from '../../api/steps.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { messageSteps } from './encode.ts';
import { ENVELOPE, MAGIC, TYPE_META } from './envelope.ts';
import { schemaOf } from './kinds.ts';

/** The finished JSON of an object as a document: the envelope that names its type, and its message. */
export function* documentSteps(json: Buffer): Steps<Buffer> {
  return yield* objectSteps(yield* storedJsonSteps(json), json.length);
}

/** {@link documentSteps} of an object at hand; `size`: about how many bytes its JSON has. */
export function* objectSteps(object: JsonObject, size: number): Steps<Buffer> {
  const writer = new ProtobufWriter(size + ENVELOPE_BYTES);
  yield* messageSteps(writer, messageSchema(object), object);
  writer.message(ENVELOPE.RAW, 0);
  return enveloped(writer, object);
}

/** The message of an object alone, as an item of a list has it. */
export function* itemSteps(json: Buffer, schema: StructuralSchema): Steps<Buffer> {
  const object = yield* storedJsonSteps(json);
  const writer = new ProtobufWriter(json.length + ITEM_BYTES);
  yield* messageSteps(writer, schema, object);
  return writer.finish();
}

/** Room for what stands around a message. */
const ENVELOPE_BYTES = 128;
const ITEM_BYTES = 16;

/** What was written behind its type and the magic bytes. */
export function enveloped(writer: ProtobufWriter, object: JsonObject): Buffer {
  const { apiVersion, kind } = typeOf(object);
  const mark = writer.mark();
  writer.text(TYPE_META.KIND, kind);
  writer.text(TYPE_META.API_VERSION, apiVersion);
  writer.message(ENVELOPE.TYPE_META, mark);
  return Buffer.concat([MAGIC, writer.finish()]);
}

/** @throws Error for a kind that has no message: negotiation lets none through */
export function messageSchema(object: JsonObject): StructuralSchema {
  const { apiVersion, kind } = typeOf(object);
  const schema = schemaOf(neutralApiVersion(apiVersion), kind);
  if (schema === undefined) throw new Error(`no message of ${apiVersion} ${kind}`);
  return schema;
}

function typeOf({ apiVersion, kind }: JsonObject): { apiVersion: string; kind: string } {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new Error('an object without a type');
  }
  return { apiVersion, kind };
}
