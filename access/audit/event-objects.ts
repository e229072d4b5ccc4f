import { gunzipSync } from 'node:zlib';
import { parseLargeJson } from '../../api/json-parse.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { MEDIA_TYPE } from '../../api/naming.ts';
import { mediaTypeOf } from '../../wire/content-type.ts';
import { decodeSentProtobuf, UnknownKind } from '../../wire/protobuf/envelope.ts';
import { parseLargeYaml } from '../../yaml/large.ts';
import type { EventParts, SentBody } from './event-parts.ts';

/** Answers beyond this are left out of events; any single object fits. */
export const MAX_AUDIT_BODY_BYTES = 2 * 1024 * 1024;

export interface EventObjects {
  /** `requestObject` and `responseObject`, where there are such. */
  readonly objects: JsonObject;
  /** False when one was left out for its size. */
  readonly isWhole: boolean;
}

/**
 * What was sent and answered, in whatever form: asking for another one hides
 * nothing. Large bodies are read as requests are: in turns, YAML by a thread.
 */
export async function objectsOf({
  exchange,
  decision,
  ...bodies
}: EventParts): Promise<EventObjects> {
  const { requestBody, responseBody } = bodies;
  const objects: JsonObject = {};
  let isWhole = true;
  const add = (key: string, value: JsonValue | undefined): void => {
    if (value === undefined) return;
    objects[key] = decision.omitManagedFields ? withoutManagers(value) : value;
  };
  if (requestBody !== undefined) {
    // A request was short enough to be read.
    add('requestObject', await parsed(requestBody, exchange.request.headers['content-type'] ?? ''));
  }
  if (responseBody !== undefined) {
    const bytes = uncompressed(responseBody);
    isWhole = bytes !== undefined && bytes.length <= MAX_AUDIT_BODY_BYTES;
    if (bytes !== undefined && isWhole)
      add('responseObject', await parsed(bytes, responseBody.contentType));
  }
  return { objects, isWhole };
}

function uncompressed({ bytes, isCompressed }: SentBody): Buffer | undefined {
  if (bytes === undefined || !isCompressed) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_AUDIT_BODY_BYTES });
  } catch {
    return undefined;
  }
}

/** Undefined for bodies that are not objects: a refused body, a document, text. */
async function parsed(body: Buffer, contentType: string): Promise<JsonValue | undefined> {
  if (body.length === 0) return undefined;
  const mediaType = contentType === '' ? MEDIA_TYPE.json : mediaTypeOf(contentType);
  try {
    if (mediaType === MEDIA_TYPE.protobuf) {
      const value = await decodeSentProtobuf(body);
      return value instanceof UnknownKind ? undefined : value;
    }
    const text = body.toString('utf8');
    const isYaml = mediaType?.endsWith('yaml') === true;
    const { value } = isYaml ? await parseLargeYaml(text) : await parseLargeJson(text);
    return value;
  } catch {
    return undefined;
  }
}

function withoutManagers(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const items = Array.isArray(value.items) ? { items: value.items.map(withoutManagers) } : {};
  if (!isObject(value.metadata)) return { ...value, ...items };
  const { managedFields: _, ...metadata } = value.metadata;
  return { ...value, ...items, metadata };
}
