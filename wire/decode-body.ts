import { andThen } from '../api/and-then.ts';
import { isUtf8 } from 'node:buffer';
import { badRequest } from '../api/api-error.ts';
import type { JsonValue } from '../api/json.ts';
import { JsonSyntaxError } from '../api/json-error.ts';
import { MAX_REQUEST_FIELDS, parseLargeJson, type ParsedJson } from '../api/json-parse.ts';
import { MEDIA_TYPE } from '../api/naming.ts';
import { nextTurn } from '../api/turn.ts';
import { duplicateFields, type Body } from '../registry/body.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { ApiRequest } from '../http/message.ts';
import { mediaTypeOf, unsupportedMediaType } from './content-type.ts';
import { decodeProtobuf, decodeSentProtobuf, UnknownKind } from './protobuf/envelope.ts';
import { ProtobufError } from '../api/protobuf/reader.ts';
import type { DuplicateKey } from '../yaml/composer.ts';
import { parseLargeYaml } from '../yaml/large.ts';
import { YamlSyntaxError } from '../yaml/source.ts';

/** Forms that bodies may have. */
const TEXT_TYPES: readonly string[] = [MEDIA_TYPE.json, MEDIA_TYPE.yaml];
const BODY_TYPES: readonly string[] = [...TEXT_TYPES, MEDIA_TYPE.protobuf];

/** A longer body is read in a turn of the event loop of its own: many may have come in one. */
const MAX_BYTES_WITHOUT_TURN = 256 * 1024;

/** Of a long body there is a promise until it is its turn to be read. */
export function turnFor(bytes: Buffer): Promise<void> | undefined {
  return bytes.length > MAX_BYTES_WITHOUT_TURN ? nextTurn() : undefined;
}

/** How bodies are read. */
export interface BodyReading {
  readonly maxBytes: number;
  /** Protobuf may say the alias of a group for its neutral name. */
  readonly aliases: boolean;
}

/**
 * The body of a create or update, in whatever form it was sent.
 *
 * @throws ApiError 400, 413 beyond `maxBytes`, 415 (also as rejection)
 */
export function decodeBody(
  request: ApiRequest,
  resource: ServedResource,
  { maxBytes, aliases }: BodyReading,
): Promise<Body> {
  const mediaType = bodyMediaType(request);
  const { kind } = resource.kind;
  const { builtin: floats } = resource.definition;
  const read = (bytes: Buffer): Body | Promise<Body> =>
    mediaType === MEDIA_TYPE.json
      ? jsonBody(bytes, kind, floats)
      : decodeBytes(bytes, mediaType, kind, aliases);
  return request.body(maxBytes).then((bytes) => andThen(turnFor(bytes), () => read(bytes)));
}

/**
 * The body of a request that may come without one (delete options).
 *
 * @throws ApiError 400, 413 beyond `maxBytes`, 415
 */
export async function decodeOptionalBody(
  request: ApiRequest,
  maxBytes: number,
): Promise<JsonValue | undefined> {
  const bytes = await request.body(maxBytes);
  if (bytes.length === 0) return undefined;
  const { value } = await decodeBytes(bytes, bodyMediaType(request), 'DeleteOptions', true);
  return value;
}

/** Without a Content-Type a body is JSON (behaviours 2.2). */
function bodyMediaType({ headers }: ApiRequest): string {
  const header = headers['content-type'] ?? '';
  const mediaType = header === '' ? MEDIA_TYPE.json : mediaTypeOf(header);
  if (mediaType === undefined || !BODY_TYPES.includes(mediaType)) {
    throw unsupportedMediaType(BODY_TYPES);
  }
  return mediaType;
}

/** `kind`: what the body should hold, for messages. */
async function decodeBytes(
  bytes: Buffer,
  mediaType: string,
  kind: string,
  aliases: boolean,
): Promise<Body> {
  try {
    if (mediaType === MEDIA_TYPE.protobuf) return await protobufBody(bytes, aliases);
    if (mediaType === MEDIA_TYPE.json) return await jsonBody(bytes, kind, false);
    return await yamlBody(textOf(bytes));
  } catch (error) {
    throw refusalOf(error, bytes, kind);
  }
}

/** @throws JsonSyntaxError */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new JsonSyntaxError('the text is not valid UTF-8');
  return bytes.toString('utf8');
}

/** What the client is told of a body that cannot be read; other errors as they are. */
function refusalOf(error: unknown, bytes: Buffer, kind: string): unknown {
  const what = whatIsWrong(error);
  if (what === undefined) return error;
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${what} (${summary(bytes)})`,
    error,
  );
}

function whatIsWrong(error: unknown): string | undefined {
  if (error instanceof ProtobufError) return `proto: ${error.message}`;
  if (error instanceof YamlSyntaxError) return `yaml: ${error.message}`;
  if (!(error instanceof JsonSyntaxError)) return undefined;
  return `couldn't get version/kind; json parse error: ${error.message}`;
}

/**
 * A promise only of a large one: nearly all bodies are JSON that is read at once.
 * `floats`: how integers are written matters.
 */
function jsonBody(bytes: Buffer, kind: string, floats: boolean): Body | Promise<Body> {
  const bodyOf = (parsed: ParsedJson): Body => ({
    value: parsed.value,
    duplicates: duplicateFields(parsed.duplicates),
    ...(parsed.floats === undefined ? undefined : { floats: parsed.floats }),
  });
  try {
    const parsed = parseLargeJson(textOf(bytes), { maxFields: MAX_REQUEST_FIELDS, bytes, floats });
    if (!(parsed instanceof Promise)) return bodyOf(parsed);
    return parsed.then(bodyOf).catch((error: unknown) => {
      throw refusalOf(error, bytes, kind);
    });
  } catch (error) {
    throw refusalOf(error, bytes, kind);
  }
}

async function yamlBody(text: string): Promise<Body> {
  const { value, duplicates } = await parseLargeYaml(text);
  return { value, duplicates: duplicateKeys(duplicates) };
}

/** What is said about keys that occurred twice in YAML. */
export function duplicateKeys(duplicates: readonly DuplicateKey[]): string[] {
  return duplicates.map(
    ({ key, line }) => `line ${line}: key ${JSON.stringify(key)} already set in map`,
  );
}

/** Clients send as protobuf what they know as such; kinds that we do not read so are welcome as text. */
async function protobufBody(bytes: Buffer, aliases: boolean): Promise<Body> {
  const value = await (aliases ? decodeProtobuf(bytes) : decodeSentProtobuf(bytes));
  if (value instanceof UnknownKind) throw unsupportedMediaType(TEXT_TYPES);
  return { value, duplicates: [], ...(aliases ? { isNeutral: true } : undefined) };
}

const SUMMARY_BYTES = 30;

/** The beginning of a body that could not be read: what is not text in hexadecimal. */
function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = isUtf8(bytes) ? beginning(bytes) : bytes.toString('hex', 0, SUMMARY_BYTES);
  return bytes.length > SUMMARY_BYTES ? `${start} ...` : start;
}

/** Whole characters, on one line. */
function beginning(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, SUMMARY_BYTES).replace(/\ufffd+$/, '');
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\x00-\x1f\x7f]/g, (c) => JSON.stringify(c).slice(1, -1));
}
