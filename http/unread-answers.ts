import type { Server } from 'node:https';
import { Socket } from 'node:net';
import { ReadGate } from './read-gate.ts';

/** What Node's HTTP server keeps with a connection. */
interface Connection extends Socket {
  /** It has asked for a pause, and is about to pause its parser too. */
  _paused?: boolean;
}

/**
 * A request that comes while the answers before it are still on their way out
 * stops the reads from its connection until they have left. Node would stop its
 * parser as well. TLS hands on in pieces of 16 KB what it has read already, and
 * a parser that has been stopped takes the next piece for an error, on which
 * Node ends the connection without an answer. Here the parser goes on with what
 * has been read.
 *
 * To be called before the server listens.
 */
export function stopReadsOnly(server: Server): void {
  server.on('secureConnection', (socket: Socket) => {
    socket.pause = pause;
  });
}

/** Connections that wait for their answers to leave. */
const waiting = new WeakSet<Socket>();

/** One function for all: a crowd of connections does not have one each. */
function pause<T extends Connection>(this: T): T {
  if (this._paused !== true) return Socket.prototype.pause.call(this) as T;
  this._paused = false;
  // Answers that have not started do not count here: pipeline.ts bounds their number.
  if (!this.writableNeedDrain || waiting.has(this)) return this;
  waiting.add(this);
  const gate = ReadGate.of(this);
  gate.hold();
  this.once('drain', () => {
    waiting.delete(this);
    gate.release();
  });
  return this;
}
