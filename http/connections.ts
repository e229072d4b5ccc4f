import type { ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { Socket } from 'node:net';
import { sessionOn } from './h2/sessions.ts';

/**
 * The connections of a server, to be ended between an answer and the next
 * request. Node's own `closeIdleConnections` and `close` take a connection for
 * idle whose answer has been made and is still on its way to a slow client.
 */
export class Connections {
  readonly #open = new Set<Socket>();

  constructor(server: Server) {
    server.on('secureConnection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    // What follows is another protocol, whose stream has an end of its own.
    server.on('upgrade', (_request, socket) => {
      if (socket instanceof Socket) this.#open.delete(socket);
    });
  }

  /**
   * Ends those that are there now: at once where nothing is to be answered, the
   * others after the last byte of their answer. Resolves when all have ended.
   */
  async end(): Promise<void> {
    const ends = [...this.#open].map((socket) => {
      endAfterAnswer(socket);
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await Promise.all(ends);
  }

  /** Cuts off all that are left. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

function endAfterAnswer(socket: Socket): void {
  const session = sessionOn(socket);
  // GOAWAY: the client opens no more streams, and the connection ends with the last one.
  if (session !== undefined) {
    session.close();
    return;
  }
  const answer = answerOn(socket);
  if (answer === undefined) socket.destroySoon();
  // There may be another one behind it, for requests that came without waiting.
  else answer.once('close', () => process.nextTick(() => endAfterAnswer(socket)));
}

/** Node keeps the answer that a connection is about where it looks for it itself. */
function answerOn(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
