import type { Collection } from './collection.ts';

/** Streams that are served between two turns of the event loop. */
const STREAMS_PER_TURN = 100;

export interface Stream {
  /** Sends what can be sent now; must not block and must not throw. */
  pump(): void;
}

/**
 * Wakes the streams of one collection when it has new events: a bounded number
 * per turn of the event loop, so that ten thousand streams never hold up
 * requests. Events that arrive meanwhile are picked up by the same round or
 * cause another one; a stream always reads from its own position.
 */
export class Broadcaster {
  readonly #streams = new Set<Stream>();
  readonly #stopListening: () => void;
  #round: Iterator<Stream> | undefined;
  #again = false;

  constructor(collection: Collection) {
    this.#stopListening = collection.listen(() => this.wake());
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: Stream): void {
    this.#streams.add(stream);
  }

  remove(stream: Stream): void {
    this.#streams.delete(stream);
  }

  close(): void {
    this.#stopListening();
  }

  /** Has every stream look soon whether there is something to send. */
  wake(): void {
    if (this.#streams.size === 0) return;
    if (this.#round !== undefined) {
      this.#again = true;
      return;
    }
    this.#round = this.#streams.values();
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    for (let served = 0; served < STREAMS_PER_TURN; served++) {
      const next = this.#round?.next();
      if (next === undefined || next.done === true) {
        this.#round = undefined;
        if (this.#again) {
          this.#again = false;
          this.wake();
        }
        return;
      }
      next.value.pump();
    }
    setImmediate(() => this.#turn());
  }
}
