import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { PerTurn } from '../api/per-turn.ts';

/** Connections of which the end is worked on in one turn of the event loop: each takes about 0.2 ms. */
const ENDS_PER_TURN = 16;
/** The same for HTTP/2, whose connections have up to some hundred streams: each takes about 0.1 ms. */
const HTTP2_ENDS_PER_TURN = 1;

/** What Node's sockets keep: where bytes come from, and what is told of them. */
interface Reading extends TLSSocket {
  _handle?: { onread: () => void; readStop(): number } | null;
}

/**
 * Spreads the ends of connections over turns of the event loop. When a process
 * with ten thousand streams dies, all of its connections end in one poll, and
 * Node would tear them all down before anything else runs.
 *
 * To be called before the server listens.
 */
export function spreadEnds(server: Server): void {
  const http1 = new PerTurn(ENDS_PER_TURN);
  const http2 = new PerTurn(HTTP2_ENDS_PER_TURN);
  server.on('secureConnection', (socket: TLSSocket) => {
    const turns = socket.alpnProtocol === 'h2' ? http2 : http1;
    // Both are what a stream's implementation has to provide, and may take their time.
    const push = socket.push.bind(socket);
    socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk !== null) return push(chunk, encoding);
      turns.run(() => {
        push(null);
        // Node has read already, before there was an end: one that none reads from would stay open.
        socket.read(0);
      });
      return false;
    };
    const destroy = socket._destroy.bind(socket);
    socket._destroy = (error, callback) => {
      readNothing(socket);
      turns.run(() => destroy(error, callback));
    };
  });
}

/**
 * For a socket that has ended and is not torn down yet. Node throws when bytes come on such a
 * socket, and TLS hands on all that it has read already, whether it is told to stop or not.
 */
function readNothing({ _handle: handle }: Reading): void {
  if (handle === null || handle === undefined) return;
  handle.onread = () => undefined;
  handle.readStop();
}
