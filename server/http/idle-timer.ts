import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '../../api/clock.ts';
import { Expiries, Expiring } from '../../api/expiries.ts';

/**
 * One timer for all connections that wait for their next request. Node makes a
 * timer, and a function for it, after each answer; a crowd of connections keeps
 * them long enough to be moved to the old generation, and with every request
 * they are made anew. To be called before the server listens.
 */
export function shareIdleTimer(server: Server): void {
  const shared = new SharedTimer();
  server.on('secureConnection', (socket: TLSSocket) => shared.adopt(socket));
}

class SharedTimer {
  /** What Node waits for the next request: the keep-alive time and, by version, some time more. */
  #ms = 0;
  #waiting: Expiries | undefined;

  adopt(socket: TLSSocket): void {
    const idle = new Expiring(() => socket.emit('timeout'));
    const setTimeout = socket.setTimeout.bind(socket);
    socket.setTimeout = (ms, callback) => {
      this.#waiting?.delete(idle);
      if (callback !== undefined || !this.#isShared(ms)) return setTimeout(ms, callback);
      if (!socket.destroyed) this.#waiting?.add(idle);
      return socket;
    };
    socket.once('close', () => this.#waiting?.delete(idle));
  }

  /** The first time that is asked for is the one that all ask for; of others each has a timer of its own. */
  #isShared(ms: number): boolean {
    if (ms !== 0 && this.#waiting === undefined) {
      this.#ms = ms;
      this.#waiting = new Expiries(systemClock, ms);
    }
    return ms !== 0 && ms === this.#ms;
  }
}
