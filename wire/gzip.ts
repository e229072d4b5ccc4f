import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGunzip, createGzip, gzip } from 'node:zlib';
import type { ApiRequest } from '../http/message.ts';

/** Shorter answers are not worth the work (behaviours 2.5). */
export const GZIP_FROM_BYTES = 128 * 1024;
/** Size of the pieces that come out. */
const CHUNK_BYTES = 64 * 1024;

/** Does the client take gzip? */
export function acceptsGzip({ headers }: ApiRequest): boolean {
  const { 'accept-encoding': header } = headers;
  if (typeof header !== 'string') return false;
  return header.split(',').some((coding) => {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
    return name.toLowerCase() === 'gzip' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
}

/**
 * The pieces compressed, as fast as they are taken: the work is done in other
 * threads, and nothing is read ahead of it but a few pieces. The lowest level:
 * the answer should leave, and the next levels win little.
 */
export async function* gzipped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES });
  const source = Readable.from(pieces, { highWaterMark: 1 });
  // A failure of the source destroys the stream, and reading it tells.
  pipeline(source, gzip, () => undefined);
  for await (const piece of gzip) yield piece as Buffer;
}

/** All of it compressed, in another thread, for answers that many clients get. */
export function gzippedWhole(bytes: Buffer): Promise<Buffer> {
  return promisify(gzip)(bytes, { level: constants.Z_BEST_SPEED });
}

/** What {@link gzippedWhole} has compressed, in pieces, as fast as they are taken. */
export async function* gunzipped(compressed: Buffer): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  gunzip.end(compressed);
  for await (const piece of gunzip) yield piece as Buffer;
}
