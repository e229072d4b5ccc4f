import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { PerTurn } from '../api/per-turn.ts';

/** Handshakes that begin in one turn of the event loop; each takes about 0.5 ms of CPU there. */
const STARTS_PER_TURN = 8;

/**
 * Spreads handshakes over turns of the event loop. Node begins a handshake when its first
 * bytes arrive, and one poll may bring those of a thousand connections: 200 to 300 ms of CPU
 * in one turn, now 62. A connection that sends nothing for `handshakeMs` is closed, and told
 * as `tlsClientError` as Node tells of handshakes that fail. The limit of Node's handshake begins
 * with the first byte.
 *
 * To be called before the server listens.
 */
export function spreadStarts(server: Server, handshakeMs: number): void {
  const turns = new PerTurn(STARTS_PER_TURN);
  const takers = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const close = (error = new Error('the client sent nothing')): void => {
      socket.destroy();
      server.emit('tlsClientError', error, socket);
    };
    // A client may reset the connection before TLS listens.
    socket.on('error', close);
    const late = (): void => close();
    socket.setTimeout(handshakeMs, late);
    const begin = (): void => {
      socket.off('error', close);
      socket.setTimeout(0, late);
      if (socket.destroyed) return;
      for (const take of takers) Reflect.apply(take, server, [socket]);
    };
    socket.once('readable', () => {
      // What was read goes to TLS first. Without bytes it is the end.
      if (socket.readableLength === 0) close();
      else turns.run(begin);
    });
  });
}
