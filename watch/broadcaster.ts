import type { Clock } from '../api/clock.ts';
import type { Collection } from './collection.ts';

/** Streams that are served between two turns of the event loop. */
const STREAMS_PER_TURN = 100;
/** And so long at most: streams may have selectors that need the object itself. */
const TURN_MS = 4;
/** To so few streams every event goes out at once. */
const FEW_STREAMS = 16;
/** No event waits longer for others to come with it. */
const MAX_PAUSE_MS = 10;

interface Stream {
  /** Sends what can be sent now; must not block and must not throw. */
  pump(): void;
}

/**
 * Wakes the streams of one collection when it has new events: a bounded number
 * per turn of the event loop, so that ten thousand streams never hold up
 * requests. Events that arrive meanwhile are picked up by the same round or
 * cause another one; a stream always reads from its own position.
 *
 * Writing to a stream costs the same for one event as for some. After a round
 * over many streams as much time passes before the next one, so that with many
 * writers several commits go out in one write.
 */
export class Broadcaster {
  readonly #streams = new Set<Stream>();
  readonly #clock: Clock;
  readonly #stopListening: () => void;
  /** Undefined: nothing is to be sent, and the next event goes out at once. */
  #round: Iterator<Stream> | undefined;
  #roundBegan = 0;
  #again = false;

  constructor(collection: Collection, clock: Clock) {
    this.#clock = clock;
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
    setImmediate(() => {
      this.#roundBegan = this.#clock.monotonic();
      this.#turn();
    });
  }

  #turn(): void {
    const ends = this.#clock.monotonic() + TURN_MS;
    for (let served = 0; served < STREAMS_PER_TURN; served++) {
      const next = this.#round?.next();
      if (next === undefined || next.done === true) {
        // what has been written leaves the process at the end of this turn
        setImmediate(() => this.#pause());
        return;
      }
      next.value.pump();
      if (this.#clock.monotonic() >= ends) break;
    }
    setImmediate(() => this.#turn());
  }

  #pause(): void {
    if (this.#streams.size <= FEW_STREAMS) {
      this.#goOn();
      return;
    }
    const tookMs = this.#clock.monotonic() - this.#roundBegan;
    this.#clock.after(Math.min(tookMs, MAX_PAUSE_MS), () => this.#goOn());
  }

  #goOn(): void {
    this.#round = undefined;
    if (!this.#again) return;
    this.#again = false;
    this.wake();
  }
}
