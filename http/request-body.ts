import type { Readable } from 'node:stream';
import { badRequest, tooLarge } from '../api/api-error.ts';
import { isBodyGiver, type BodyTaker } from './body-taker.ts';

/**
 * The whole body of a request. An async iterator over it would cost as much as
 * a small write does, and a stream that is read by events takes 8 µs.
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
    const body = new WholeBody(maxBytes, resolve, reject);
    if (isBodyGiver(req) && req.giveBody(body)) body.onSettled = () => req.keepBody();
    else listen(req, body);
  });
}

function listen(req: Readable, body: WholeBody): void {
  const onData = (chunk: Buffer): void => body.take(chunk);
  const onEnd = (): void => body.end();
  const onCut = (error?: Error): void => body.cut(error);
  body.onSettled = () => {
    req.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
  };
  if (req.closed) onCut();
  else req.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
}

/** Gathers a body. */
class WholeBody implements BodyTaker {
  readonly #maxBytes: number;
  readonly #resolve: (body: Buffer) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  /** Called before the promise is settled: no more is to be taken. */
  onSettled: () => void = () => undefined;

  constructor(maxBytes: number, resolve: (body: Buffer) => void, reject: (error: Error) => void) {
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size <= this.#maxBytes) return;
    this.onSettled();
    this.#reject(bodyTooLarge(this.#maxBytes));
  }

  end(): void {
    this.onSettled();
    const chunks = this.#chunks;
    this.#resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, this.#size));
  }

  cut(error?: Error | null): void {
    this.onSettled();
    this.#reject(badRequest('the request body is incomplete', error ?? undefined));
  }
}

const NO_BODY = Buffer.alloc(0);

function bodyTooLarge(maxBytes: number): Error {
  return tooLarge(`Request entity too large: limit is ${maxBytes}`);
}
