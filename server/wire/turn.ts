import type { Clock } from '../../api/clock.ts';

/** How long one answer is worked on before others have their turn. */
const TURN_MS = 2;
/** The clock is asked only every so many steps. */
const STEPS_PER_LOOK = 8;

/** Answers that wait for their next turn, the longest wait first. */
const line: (() => void)[] = [];

/**
 * Keeps long work from holding the event loop: `over()` after each step, and
 * `next()` when it says so. However many answers are long, one of them goes on
 * in each round of the loop, so that short requests wait for one turn only.
 */
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
    await new Promise<void>((resolve) => {
      line.push(resolve);
      if (line.length === 1) setImmediate(callNext);
    });
    this.#ends = this.#clock.monotonic() + TURN_MS;
  }
}

function callNext(): void {
  line.shift()?.();
  if (line.length > 0) setImmediate(callNext);
}
