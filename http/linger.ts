import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import { Socket } from 'node:net';

/** How long what a client still sends is read after its last answer. */
const MAX_LINGER_MS = 5_000;
/** And how many bytes of it. */
const MAX_LINGER_BYTES = 16 * 1024 * 1024;
/** Connections of the process that are read so at a time; more are closed at once. */
const MAX_LINGERING = 1_000;

/** What Node's HTTP server keeps with a connection. */
interface Connection extends Socket {
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
}

/**
 * Closes connections so that their last answer arrives, also where it came before
 * the body of its request had: a 401, 413 or 429 to a client that sends `Connection:
 * close`. Where bytes are left unread, the system resets a connection that is closed,
 * and the client may lose an answer that it has received and not read. So the
 * server ends its side, and for a while reads what comes and throws it away.
 *
 * To be called before the server listens.
 */
export function lingerAtClose(server: Server): void {
  server.on('secureConnection', (socket: Socket) => {
    socket.destroySoon = destroySoon;
  });
}

let lingering = 0;

/** Node's HTTP server calls it after the last answer. */
function destroySoon(this: Connection): void {
  const hasAll = this.parser?.incoming?.complete !== false;
  if (hasAll || this.destroyed || this.writableEnded || lingering >= MAX_LINGERING) {
    Socket.prototype.destroySoon.call(this);
    return;
  }
  linger(this);
}

function linger(socket: Socket): void {
  let left = MAX_LINGER_BYTES;
  const close = (): void => void socket.destroy();
  lingering++;
  const timer = setTimeout(close, MAX_LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    lingering--;
  });
  socket.once('end', close);
  // Node's parser gives the connection away to who listens, and reads no further request.
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) close();
  });
  socket.end();
  socket.resume();
}
