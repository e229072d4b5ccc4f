import { getOwn, type JsonObject } from '../../api/json.ts';
import { neutralApiVersion } from '../../api/naming.ts';
import { decodeMessage } from './decode.ts';
import { messageOf } from './kinds.ts';
import { message } from './message.ts';
import { ProtobufError, ProtobufReader, WIRE } from './reader.ts';

/** What every body begins with. */
const MAGIC = Buffer.from('k8s\0');

const TypeMeta = message({ apiVersion: [1, 'string'], kind: [2, 'string'] });

const ENVELOPE = { TYPE_META: 1, RAW: 2, CONTENT_ENCODING: 3 } as const;

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
 * message of that type. Names are turned into the neutral ones.
 * Source: k8s.io/apimachinery pkg/runtime, Unknown.
 *
 * @throws ProtobufError
 */
export function decodeProtobuf(bytes: Buffer): JsonObject | UnknownKind {
  if (bytes.compare(MAGIC, 0, MAGIC.length, 0, Math.min(bytes.length, MAGIC.length)) !== 0) {
    throw new ProtobufError('provided data does not appear to be a protobuf message');
  }
  const reader = new ProtobufReader(bytes, MAGIC.length);
  const type: JsonObject = {};
  let raw: Buffer = Buffer.alloc(0);
  while (!reader.atEnd) {
    const { field, wire } = reader.tag();
    if (field === ENVELOPE.TYPE_META && wire === WIRE.BYTES) {
      decodeMessage(reader.nested(), TypeMeta, type);
    } else if (field === ENVELOPE.RAW && wire === WIRE.BYTES) {
      raw = reader.bytes();
    } else if (field === ENVELOPE.CONTENT_ENCODING && wire === WIRE.BYTES) {
      if (reader.text() !== '') throw new ProtobufError('the content is encoded in an unknown way');
    } else {
      reader.skip(wire);
    }
  }
  return decodeRaw(raw, textOf(type, 'apiVersion'), textOf(type, 'kind'));
}

function decodeRaw(raw: Buffer, sentApiVersion: string, kind: string): JsonObject | UnknownKind {
  const apiVersion = neutralApiVersion(sentApiVersion);
  const found = messageOf(apiVersion, kind);
  if (found === undefined) return new UnknownKind(sentApiVersion, kind);
  const object = decodeMessage(new ProtobufReader(raw), found);
  return { apiVersion, kind, ...object };
}

function textOf(object: JsonObject, key: string): string {
  const value = getOwn(object, key);
  return typeof value === 'string' ? value : '';
}
