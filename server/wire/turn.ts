import type { Clock } from '../../api/clock.ts';

/** How long one answer is worked on before others have their turn. */
const TURN_MS = 4;
/** The clock is asked only every so many steps. */
const STEPS_PER_LOOK = 8;

/** Keeps long work from holding the event loop: `over()` after each step, and `next()` when it says so. */
export class Turn {
  readonly #clock: Clock;
  #ends: number;
  #steps = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ends = clock.monotonic() + TURN_MS;
  }

  /** The turn has lasted long enough. */
  over(): boolean {
    if (++this.#steps % STEPS_PER_LOOK !== 0) return false;
    return this.#clock.monotonic() >= this.#ends;
  }

  /** Lets everything else run that is ready. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#ends = this.#clock.monotonic() + TURN_MS;
  }
}
