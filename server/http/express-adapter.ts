import express, { type Request, type Response } from 'express';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { badRequest, tooLarge } from '../../api/api-error.ts';
import type { FrameSink } from '../../watch/subscription.ts';
import {
  isPushed,
  type ApiRequest,
  type ApiResponse,
  type Peer,
  type PushedBody,
} from './message.ts';

export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/**
 * The only file that knows Express: turns sockets into ApiRequests and
 * ApiResponses into bytes, with back-pressure and disconnects. `handle` must
 * not reject; what goes wrong in it is an answer already.
 */
export function expressListener(handle: Handle): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Every path and method goes to the pipeline, which does its own routing.
  app.use((req: Request, res: Response) => serve(handle, req, res));
  return app as RequestListener;
}

async function serve(handle: Handle, req: Request, res: Response): Promise<void> {
  const gone = new AbortController();
  let isGone = false as boolean;
  res.on('close', () => {
    if (res.writableFinished) return;
    isGone = true;
    gone.abort(new Error('the client has gone away'));
  });
  const response = await handle(apiRequestFrom(req, gone));
  if (isGone) {
    if (!Buffer.isBuffer(response.body) && !isPushed(response.body)) await discard(response.body);
    return;
  }
  res.writeHead(response.status, response.headers);
  await sendBody(req, res, response);
}

function apiRequestFrom(req: IncomingMessage, gone: AbortController): ApiRequest {
  // Express keeps the target as it came in `originalUrl`; `url` is the same here.
  const target = req.url ?? '/';
  const mark = target.indexOf('?');
  return {
    method: req.method ?? 'GET',
    rawPath: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    headers: req.headers,
    body: (maxBytes) => readBody(req, maxBytes),
    signal: gone.signal,
    abort: (reason) => gone.abort(reason),
    peer: peerOf(req),
  };
}

/** Reading a certificate costs more than a whole request, and a connection has one for life. */
const peers = new WeakMap<Socket, Peer>();

function peerOf({ socket }: IncomingMessage): Peer {
  let peer = peers.get(socket);
  if (peer === undefined) {
    const certificate =
      socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate() : undefined;
    peer = { address: socket.remoteAddress ?? '', certificate };
    peers.set(socket, peer);
  }
  return peer;
}

async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw bodyTooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of req) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (size > maxBytes) throw error;
    throw badRequest('the request body did not arrive whole', error);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}

function bodyTooLarge(maxBytes: number): Error {
  return tooLarge(`Request entity too large: limit is ${maxBytes}`);
}

async function sendBody(req: Request, res: Response, { body }: ApiResponse): Promise<void> {
  if (req.method === 'HEAD') {
    if (!Buffer.isBuffer(body) && !isPushed(body)) await discard(body);
    res.end();
  } else if (Buffer.isBuffer(body)) {
    res.end(body);
  } else if (isPushed(body)) {
    push(res, body);
  } else {
    await pull(res, body);
  }
  // What the client still sends of a body that nobody read must not hold the connection.
  if (!req.complete) req.resume();
}

/** Writes pieces as fast as the client takes them. */
async function pull(res: Response, body: AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const piece of body) {
      if (res.destroyed) return;
      if (!res.write(piece)) await drained(res);
    }
    res.end();
  } catch {
    // The status line is out: all that is left is to let the client see a broken body.
    res.destroy();
  }
}

function drained(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
  });
}

function push(res: Response, body: PushedBody): void {
  res.flushHeaders();
  const sink: FrameSink = {
    write: (frame) => res.write(frame),
    end: () => void res.end(),
  };
  const control = body.start(sink);
  res.on('drain', () => control.resume());
  res.on('close', () => control.close());
}

/** Ends an iterable that nobody is going to read, so that it can let go of what it holds. */
async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
