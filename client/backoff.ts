/** Milliseconds before the first further attempt, before jitter. */
const FIRST_MS = 500;
/** And at most. */
const LONGEST_MS = 30_000;

/** Waiting times between attempts: each about twice as long as the one before. */
export class Backoff {
  readonly #random: () => number;
  #attempts = 0;

  /** `random`: a number from 0 to below 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Milliseconds until the next attempt: half of the full time, and a random part of the other half. */
  next(): number {
    const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#attempts);
    if (full < LONGEST_MS) this.#attempts++;
    return full / 2 + (full / 2) * this.#random();
  }

  /** An attempt has succeeded. */
  reset(): void {
    this.#attempts = 0;
  }
}
