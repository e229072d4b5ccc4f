import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, tooLarge } from '../api/api-error.ts';
import type { Query } from '../api/query.ts';
import type { Cancellation } from './cancellation.ts';
import type { ApiRequest, Peer } from './message.ts';
import { peerOfSocket } from './peer.ts';
import { restConnection } from './pause-connection.ts';

const NO_QUERY: Query = new URLSearchParams();

/** What the pipeline sees of a request. `res`: undefined when something else than HTTP may follow on the connection. */
export function apiRequestFrom(
  req: IncomingMessage,
  cancellation: Cancellation,
  res?: ServerResponse,
): ApiRequest {
  // Express keeps the target as it came in `originalUrl`; `url` is the same here.
  const target = req.url ?? '/';
  const mark = target.indexOf('?');
  return {
    method: req.method ?? 'GET',
    rawPath: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1)),
    headers: req.headers,
    rawHeaders: req.rawHeaders,
    body: (maxBytes) => readBody(req, maxBytes),
    cancellation,
    peer: peerOf(req),
    sender: { user: '' },
    rest: res === undefined ? undefined : (until) => restConnection(req, res, until),
  };
}

/** What comes before the path in a target as clients send it to proxies. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/**
 * A target in absolute form is as good as its path: every server has to take it
 * (RFC 9112, section 3.2.2), and Express cannot read each one.
 */
export function toOriginForm(req: IncomingMessage): void {
  const { url = '/' } = req;
  if (url.startsWith('/') || !ORIGIN.test(url)) return;
  const path = url.replace(ORIGIN, '');
  req.url = path.startsWith('/') ? path : `/${path}`;
}

/** Reading a certificate costs more than a whole request, and a connection has one for life. */
const peers = new WeakMap<Socket, Peer>();

function peerOf({ socket }: IncomingMessage): Peer {
  let peer = peers.get(socket);
  if (peer === undefined) {
    peer = peerOfSocket(socket);
    peers.set(socket, peer);
  }
  return peer;
}

/** An async iterator over the request would cost as much as a small write does. */
function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > maxBytes) return Promise.reject(bodyTooLarge(maxBytes));
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
      reject(badRequest('the request body did not arrive whole', error));
    };
    if (req.closed) onCut();
    else req.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

function bodyTooLarge(maxBytes: number): Error {
  return tooLarge(`Request entity too large: limit is ${maxBytes}`);
}
