import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '../api/clock.ts';
import { Expiries, Expiring } from '../api/expiries.ts';

/**
 * One timer for all connections that wait for their next request. Node makes a
 * timer, and a function for it, after each answer; a crowd of connections keeps
 * them long enough to be moved to the old generation, and each
 * request creates new ones. Call it before the server listens.
 */
export function shareIdleTimer(server: Server): void {
  /** By their time; Node's HTTP server asks for one and the same. */
  const waiting = new Map<number, Expiries>();
  server.on('secureConnection', (socket: TLSSocket) => {
    const idle = new Expiring(() => socket.emit('timeout'));
    const setTimeout = socket.setTimeout.bind(socket);
    socket.setTimeout = (ms, callback) => {
      idle.list?.delete(idle);
      // Node's HTTP server passes no callback; a timeout with a callback is another caller's.
      if (ms === 0 || callback !== undefined) return setTimeout(ms, callback);
      let list = waiting.get(ms);
      if (list === undefined) waiting.set(ms, (list = new Expiries(systemClock, ms)));
      if (!socket.destroyed) list.add(idle);
      return socket;
    };
    socket.once('close', () => idle.list?.delete(idle));
  });
}
