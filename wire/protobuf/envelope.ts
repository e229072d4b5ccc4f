import type { JsonObject } from '../../api/json.ts';
import { neutralApiVersion } from '../../api/naming.ts';
import { MessageDecoder } from './decode.ts';
import { schemaOf } from './kinds.ts';
import { ProtobufError, ProtobufReader } from '../../api/protobuf/reader.ts';
import { WIRE } from '../../api/protobuf/wire-type.ts';
import { eachField } from './scalars.ts';
import { dropUnset } from './unset-fields.ts';
import { workloadSchema } from './workload-kinds.ts';

/** What every body begins with. */
export const MAGIC = Buffer.from('k8s\0');

export const ENVELOPE = { TYPE_META: 1, RAW: 2, CONTENT_ENCODING: 3 } as const;
export const TYPE_META = { API_VERSION: 1, KIND: 2 } as const;

/** A kind that is not read from protobuf; clients may send it as JSON. */
export class UnknownKind {
  readonly apiVersion: string;
  readonly kind: string;

  constructor(apiVersion: string, kind: string) {
    this.apiVersion = apiVersion;
    this.kind = kind;
  }
}

/**
 * The object in a protobuf body: an envelope that names its type, and the
 * message of that type. The apiVersion is turned into the neutral one.
 * Source: k8s.io/apimachinery pkg/runtime, Unknown.
 *
 * @throws ProtobufError (as rejection)
 */
export async function decodeProtobuf(bytes: Buffer): Promise<JsonObject | UnknownKind> {
  const sent = await decodeSentProtobuf(bytes);
  if (sent instanceof UnknownKind || typeof sent.apiVersion !== 'string') return sent;
  return { ...sent, apiVersion: neutralApiVersion(sent.apiVersion) };
}

/**
 * The same under the apiVersion that was sent, which may be an alias.
 *
 * @throws ProtobufError (as rejection)
 */
export async function decodeSentProtobuf(bytes: Buffer): Promise<JsonObject | UnknownKind> {
  if (bytes.compare(MAGIC, 0, MAGIC.length, 0, Math.min(bytes.length, MAGIC.length)) !== 0) {
    throw new ProtobufError('provided data does not appear to be a protobuf message');
  }
  const reader = new ProtobufReader(bytes, MAGIC.length);
  const type = { apiVersion: '', kind: '' };
  let raw: Buffer = Buffer.alloc(0);
  eachField(reader, (field) => {
    if (reader.wire !== WIRE.BYTES) return false;
    if (field === ENVELOPE.TYPE_META) readType(reader.nested(), type);
    else if (field === ENVELOPE.RAW) raw = reader.bytes();
    else if (field !== ENVELOPE.CONTENT_ENCODING) return false;
    else if (reader.text() !== '') {
      throw new ProtobufError('the content is encoded in an unknown way');
    }
    return true;
  });
  return decodeRaw(raw, type.apiVersion, type.kind);
}

function readType(reader: ProtobufReader, type: { apiVersion: string; kind: string }): void {
  eachField(reader, (field) => {
    if (reader.wire !== WIRE.BYTES) return false;
    if (field === TYPE_META.API_VERSION) type.apiVersion = reader.text();
    else if (field === TYPE_META.KIND) type.kind = reader.text();
    else return false;
    return true;
  });
}

async function decodeRaw(
  raw: Buffer,
  sentApiVersion: string,
  kind: string,
): Promise<JsonObject | UnknownKind> {
  const apiVersion = neutralApiVersion(sentApiVersion);
  const schema = schemaOf(apiVersion, kind);
  if (schema === undefined) return new UnknownKind(sentApiVersion, kind);
  const object = await new MessageDecoder().decode(new ProtobufReader(raw), schema);
  if (workloadSchema(apiVersion, kind) !== undefined) dropUnset(object, schema);
  return { apiVersion: sentApiVersion, kind, ...object };
}
