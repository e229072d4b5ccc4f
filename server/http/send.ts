import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FrameSink } from '../../watch/subscription.ts';
import { Cancellation } from './cancellation.ts';
import { ClientGone } from './client-gone.ts';
import { isPushed, type ApiRequest, type ApiResponse, type PushedBody } from './message.ts';
import { apiRequestFrom } from './request.ts';
import { slabPool } from './slab-pool.ts';

/** Answers one request; must not reject: what goes wrong in it is an answer already. */
export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** One request from its head to the last byte of its answer. */
export async function serve(
  handle: Handle,
  req: IncomingMessage,
  res: ServerResponse,
  maxPieceMs = MAX_PIECE_MS,
): Promise<void> {
  const cancellation = new Cancellation();
  res.on('close', () => {
    if (!res.writableFinished) cancellation.abort(new ClientGone());
  });
  const response = await handle(apiRequestFrom(req, cancellation, res));
  if (cancellation.reason instanceof ClientGone) await discard(response);
  else await send(req, res, response, maxPieceMs);
}

/** A client that takes longer for a piece of an answer (64 to 256 KB) is cut off. */
const MAX_PIECE_MS = 30_000;
const MAX_PIECE_BYTES = 256 * 1024;
/** Smaller answers fit into the buffers of the operating system. */
const SMALL_ANSWER_BYTES = 64 * 1024;

/** Sends an answer, with back-pressure; a client that goes away, or does not read it, ends it. */
export async function send(
  req: IncomingMessage,
  res: ServerResponse,
  response: ApiResponse,
  maxPieceMs = MAX_PIECE_MS,
): Promise<void> {
  const { status, headers, body } = response;
  res.writeHead(status, headers);
  if (req.method === 'HEAD') {
    await discard(response);
    res.end();
  } else if (Buffer.isBuffer(body)) {
    res.end(body);
    if (body.length > SMALL_ANSWER_BYTES) {
      cutOffSlow(res, Math.ceil(body.length / MAX_PIECE_BYTES) * maxPieceMs);
    }
  } else if (isPushed(body)) {
    push(res, body);
  } else {
    await pull(res, body, maxPieceMs);
  }
  // What the client still sends of a body that nobody read must not hold the connection.
  if (!req.complete) req.resume();
}

/** Writes pieces as fast as the client takes them. */
async function pull(
  res: ServerResponse,
  body: AsyncIterable<Buffer>,
  maxPieceMs: number,
): Promise<void> {
  try {
    for await (const piece of body) {
      if (res.destroyed) return;
      const onSent = (error?: Error | null): void => {
        if (!error) slabPool.giveBack(piece);
      };
      if (!res.write(piece, onSent)) await drained(res, maxPieceMs);
    }
    res.end();
  } catch {
    // The status line is out: all that is left is to let the client see a broken body.
    res.destroy();
  }
}

function drained(res: ServerResponse, maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), maxMs);
    const done = (): void => {
      clearTimeout(timer);
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
  });
}

/** An answer in one piece has time by its size. */
function cutOffSlow(res: ServerResponse, maxMs: number): void {
  if (res.writableFinished) return;
  const timer = setTimeout(() => res.destroy(), maxMs);
  res.once('close', () => clearTimeout(timer));
}

function push(res: ServerResponse, body: PushedBody): void {
  res.flushHeaders();
  const sink: FrameSink = {
    write: (frame) => res.write(frame),
    end: () => void res.end(),
  };
  const control = body.start(sink);
  res.on('drain', () => control.resume());
  res.on('close', () => control.close());
}

/** Ends a body that nobody is going to read, so that it can let go of what it holds. */
export async function discard({ body }: ApiResponse): Promise<void> {
  if (!Buffer.isBuffer(body) && !isPushed(body)) await body[Symbol.asyncIterator]().return?.();
}
