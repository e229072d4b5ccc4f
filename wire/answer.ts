import type { JsonValue } from '../api/json.ts';
import { stringifyJson } from '../api/json-write.ts';
import { MEDIA_TYPE } from '../api/naming.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import { acceptsGzip, gzipped, GZIP_FROM_BYTES } from './gzip.ts';
import type { Representation } from './negotiate.ts';
import { yamlText } from '../yaml/emit.ts';

/** An answer whose whole body is at hand. */
export function answer(
  exchange: Exchange,
  status: number,
  representation: Representation,
  body: Buffer,
): ApiResponse {
  if (body.length > GZIP_FROM_BYTES && acceptsGzip(exchange.request)) {
    return compressed(status, representation, only(body));
  }
  return {
    status,
    // Written out: V8 creates new hidden classes for each object that is spread and then extended.
    headers: {
      'content-type': MEDIA_TYPE[representation.format],
      'content-length': String(body.length),
    },
    body,
  };
}

/** An answer in pieces; one that fits into a single piece is sent as a whole. `length`: of all of it, where it is known. */
export async function answerInPieces(
  exchange: Exchange,
  status: number,
  representation: Representation,
  pieces: AsyncGenerator<Buffer, void>,
  length?: number,
): Promise<ApiResponse> {
  const first = await pieces.next();
  if (first.done === true) throw new Error('an answer has at least one piece');
  const second = await pieces.next();
  if (second.done === true) return answer(exchange, status, representation, first.value);
  const body = resumed([first.value, second.value], pieces);
  if (acceptsGzip(exchange.request)) return compressed(status, representation, body);
  const headers = contentType(representation);
  if (length !== undefined) headers['content-length'] = String(length);
  return { status, headers, body };
}

function compressed(
  status: number,
  representation: Representation,
  pieces: AsyncIterable<Buffer>,
): ApiResponse {
  const headers = {
    ...contentType(representation),
    'content-encoding': 'gzip',
    vary: 'Accept-Encoding',
  };
  return { status, headers, body: gzipped(pieces) };
}

function contentType({ format }: Representation): Record<string, string> {
  return { 'content-type': MEDIA_TYPE[format] };
}

// oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
async function* only(piece: Buffer): AsyncGenerator<Buffer, void> {
  yield piece;
}

async function* resumed(
  begun: readonly Buffer[],
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  try {
    yield* begun;
    yield* rest;
  } finally {
    await rest.return();
  }
}

const LINE_FEED = 10;

/** A value as text in the representation's format. */
export function textOf(value: JsonValue, { format, pretty }: Representation): Buffer {
  return Buffer.from(
    format === 'yaml' ? yamlText(value) : `${stringifyJson(value, pretty ? 2 : undefined)}\n`,
  );
}

/** Finished JSON as it is sent: with a line feed, for people at a terminal. */
export function line(json: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(json.length + 1);
  bytes.set(json);
  bytes[json.length] = LINE_FEED;
  return bytes;
}
