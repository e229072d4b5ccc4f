import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ReadGate } from './read-gate.ts';

/** Takes what lets the connection be read again; calls it sooner or later. */
type Until = (resume: () => void) => void;

/**
 * Once the answer is out, the connection is not read until `until` calls back.
 * What its client sends next stays in the network, where it costs this process
 * nothing, and holds the client up.
 */
export function restConnection(
  { socket }: IncomingMessage,
  res: ServerResponse,
  until: Until,
): void {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new RestingConnection(socket);
    connections.set(socket, connection);
  }
  connection.restAfter(res, until);
}

/** A crowd of connections rests again and again: each has what that needs once, for life. */
const connections = new WeakMap<Socket, RestingConnection>();

class RestingConnection {
  readonly #socket: Socket;
  #until: Until | undefined;
  #rests = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  restAfter(res: ServerResponse, until: Until): void {
    this.#until = until;
    res.on('finish', this.#onFinish);
  }

  // In this turn Node still reads to the end of what it has just answered, and would resume.
  readonly #onFinish = (): void => void setImmediate(this.#pause);

  readonly #pause = (): void => {
    const until = this.#until;
    this.#until = undefined;
    // what comes on one that ends is read to its end: see linger.ts
    if (until === undefined || this.#socket.destroyed || this.#socket.writableEnded) return;
    if (!this.#rests) ReadGate.of(this.#socket).hold();
    this.#rests = true;
    until(this.#resume);
  };

  readonly #resume = (): void => {
    if (this.#rests) ReadGate.of(this.#socket).release();
    this.#rests = false;
  };
}
