import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Cancellation } from './cancellation.ts';
import type { ApiRequest, Peer } from './message.ts';
import { peerOfSocket } from './peer.ts';
import { restConnection } from './pause-connection.ts';
import { readBody } from './request-body.ts';
import { originFormOf, targetParts } from './request-target.ts';

/** What the pipeline sees of a request. `res`: undefined when something else than HTTP may follow on the connection. */
export function apiRequestFrom(
  req: IncomingMessage,
  cancellation: Cancellation,
  res?: ServerResponse,
): ApiRequest {
  // Express keeps the target as it came in `originalUrl`; `url` is the same here.
  const { rawPath, query } = targetParts(req.url ?? '/');
  return {
    method: req.method ?? 'GET',
    rawPath,
    query,
    headers: req.headers,
    rawHeaders: req.rawHeaders,
    body: (maxBytes) => readBody(req, req.headers['content-length'], maxBytes),
    cancellation,
    peer: peerOf(req),
    sender: { user: '' },
    rest: res === undefined ? undefined : (until) => restConnection(req, res, until),
  };
}

/** Express cannot read a target in absolute form. */
export function toOriginForm(req: IncomingMessage): void {
  const { url = '/' } = req;
  const path = originFormOf(url);
  if (path !== url) req.url = path;
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
