import type { Socket } from 'node:net';

const gates = new WeakMap<Socket, ReadGate>();

/**
 * Stops the reads from a connection for as long as one reason to do so holds.
 * What the client sends meanwhile stays in the network. `socket.pause()` alone
 * does not last: Node's HTTP server resumes the socket at the end of each
 * request that it has read.
 */
export class ReadGate {
  readonly #socket: Socket;
  readonly #resume: () => Socket;
  #holds = 0;

  static of(socket: Socket): ReadGate {
    let gate = gates.get(socket);
    if (gate === undefined) gates.set(socket, (gate = new ReadGate(socket)));
    return gate;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#resume = socket.resume.bind(socket);
    socket.resume = () => (this.#holds > 0 ? socket : this.#resume());
  }

  /** Each call needs one {@link release}. */
  hold(): void {
    if (this.#holds++ === 0) this.#socket.pause();
  }

  release(): void {
    if (--this.#holds === 0 && !this.#socket.destroyed) this.#resume();
  }
}
