import type { Readable } from 'node:stream';
import { badRequest, tooLarge } from '../api/api-error.ts';

/**
 * The whole body of a request. An async iterator over it would cost as much as
 * a small write does.
 *
 * @param declaredLength the header `content-length`
 * @throws ApiError 413 beyond the limit, 400 when the body does not arrive whole
 */
export function readBody(
  req: Readable,
  declaredLength: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  // a stream of HTTP/2 whose head is all of it has ended before it is read
  if (req.readableEnded) return Promise.resolve(NO_BODY);
  if (Number(declaredLength ?? 0) > maxBytes) return Promise.reject(bodyTooLarge(maxBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (): void => {
      req.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      settle();
      reject(bodyTooLarge(maxBytes));
    };
    const onEnd = (): void => {
      settle();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const onCut = (error?: Error): void => {
      settle();
      reject(badRequest('the request body is incomplete', error));
    };
    if (req.closed) onCut();
    else req.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

const NO_BODY = Buffer.alloc(0);

function bodyTooLarge(maxBytes: number): Error {
  return tooLarge(`Request entity too large: limit is ${maxBytes}`);
}
