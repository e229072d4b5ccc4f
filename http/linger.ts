import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long what a client still sends is read after its last answer. */
const MAX_LINGER_MS = 5_000;
/** And how many bytes of it. */
const MAX_LINGER_BYTES = 16 * 1024 * 1024;
/** Connections of the process that are read so at a time; more are closed at once. */
const MAX_LINGERING = 1_000;

/** What Node's HTTP server keeps with a connection. */
interface Connection extends Socket {
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
  /** The answer under way. */
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Closes connections so that their last answer arrives, also where it came before
 * the body of its request had: a 401, 413 or 429 to a client that sends `Connection:
 * close`, or to one whose head is too long. Where bytes are left unread, the system resets a connection that is closed,
 * and the client may lose an answer that it has received and not read. So the
 * server ends its side, and for a while reads what comes and throws it away.
 *
 * To be called before the server listens.
 */
export function lingerAtClose(server: Server): void {
  server.on('secureConnection', (socket: Socket) => {
    socket.destroySoon = destroySoon;
  });
  server.on('clientError', refuse);
}

/** What Node's HTTP server answers to a request that it cannot read, and closes the connection with it. */
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The same. What is too long is not read to its end, so the connection lingers for the answer to arrive. */
function refuse(error: NodeJS.ErrnoException, stream: Duplex): void {
  const socket = stream as Connection;
  const { code = '' } = error;
  const isAnswered = socket._httpMessage?.headersSent === true;
  // Others are of TLS or of the system: such a client reads nothing.
  const isOfHttp = code.startsWith('HPE_') || code.startsWith('ERR_HTTP_');
  if (!socket.writable || isAnswered || !isOfHttp) {
    socket.destroy(error);
    return;
  }
  socket.write(`HTTP/1.1 ${REFUSALS[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
  if (code === 'HPE_HEADER_OVERFLOW' && hasRoom()) linger(socket);
  else socket.destroy(error);
}

let lingering = 0;

function hasRoom(): boolean {
  return lingering < MAX_LINGERING;
}

/** Node's HTTP server calls it after the last answer. */
function destroySoon(this: Connection): void {
  const hasAll = this.parser?.incoming?.complete !== false;
  if (hasAll || this.destroyed || this.writableEnded || !hasRoom()) {
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
