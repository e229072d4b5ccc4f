import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** Connections of which the end is worked on in one turn of the event loop: each takes about 0.2 ms. */
const ENDS_PER_TURN = 16;

/** Does so many things in a turn; the others wait for the next turns, in their order. */
class PerTurn {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isArmed = false;

  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  run(work: () => void): void {
    if (!this.#isArmed) {
      this.#isArmed = true;
      setImmediate(this.#turn);
    }
    if (this.#left === 0) {
      this.#waiting.push(work);
      return;
    }
    this.#left--;
    work();
  }

  readonly #turn = (): void => {
    const now = this.#waiting.splice(0, this.#max);
    this.#left = this.#max - now.length;
    this.#isArmed = now.length > 0;
    if (this.#isArmed) setImmediate(this.#turn);
    for (const work of now) work();
  };
}

/**
 * Spreads the ends of connections over turns of the event loop. When a process
 * with ten thousand streams dies, all of its connections end in one poll, and
 * Node would tear them all down before anything else runs.
 *
 * To be called before the server listens.
 */
export function spreadEnds(server: Server): void {
  const turns = new PerTurn(ENDS_PER_TURN);
  server.on('secureConnection', (socket: TLSSocket) => {
    // Both are what a stream's implementation has to provide, and may take their time.
    const push = socket.push.bind(socket);
    socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk !== null) return push(chunk, encoding);
      turns.run(() => push(null));
      return false;
    };
    const destroy = socket._destroy.bind(socket);
    socket._destroy = (error, callback) => {
      socket.pause();
      turns.run(() => destroy(error, callback));
    };
  });
}
