import type { Socket } from 'node:net';

/** What one turn of the event loop has to send goes out together: one call of the system for all of it. */
export class Outbox {
  readonly #socket: Socket;
  #parts: Buffer[] = [];
  #isClosed = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  send(...parts: readonly Buffer[]): void {
    if (this.#isClosed) return;
    if (this.#parts.length === 0) setImmediate(this.#flush);
    this.#parts.push(...parts);
  }

  /** Sends nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#parts = [];
  }

  readonly #flush = (): void => {
    if (this.#parts.length === 0) return;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    // a connection whose last call has ended is on its way out
    if (this.#socket.writable) this.#socket.write(bytes);
  };
}
