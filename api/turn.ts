import type { Clock } from './clock.ts';

/** How long one answer is worked on before others have their turn. */
const TURN_MS = 2;
/** The clock is asked only every so many steps. */
const STEPS_PER_LOOK = 8;

/** Work that waits for its next turn, the longest wait first. */
const line: (() => void)[] = [];

/**
 * Lets everything else run that is ready. However much long work there is, one
 * piece of it goes on in each round of the event loop, so that short requests
 * wait for one turn only.
 */
export function nextTurn(): Promise<void> {
  return new Promise<void>((resolve) => {
    line.push(resolve);
    if (line.length === 1) setImmediate(callNext);
  });
}

function callNext(): void {
  line.shift()?.();
  if (line.length > 0) setImmediate(callNext);
}

/**
 * Keeps long work from holding the event loop: `over()` after each step, and
 * `next()` when it says so.
 */
export class Turn {
  readonly #clock: Clock;
  readonly #stepsPerLook: number;
  #ends: number;
  #steps = 0;

  /** `stepsPerLook`: 1 for steps that may each take long. */
  constructor(clock: Clock, stepsPerLook = STEPS_PER_LOOK) {
    this.#clock = clock;
    this.#stepsPerLook = stepsPerLook;
    this.#ends = clock.monotonic() + TURN_MS;
  }

  /** The turn has lasted long enough. */
  over(): boolean {
    if (++this.#steps % this.#stepsPerLook !== 0) return false;
    return this.isLate();
  }

  /** The same without counting steps: after one that may have taken long. */
  isLate(): boolean {
    return this.#clock.monotonic() >= this.#ends;
  }

  /** Lets others have their turn, see {@link nextTurn}. */
  async next(): Promise<void> {
    await nextTurn();
    this.#ends = this.#clock.monotonic() + TURN_MS;
  }
}
