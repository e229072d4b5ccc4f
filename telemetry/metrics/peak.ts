import type { Clock } from '../../api/clock.ts';

const WINDOW_MS = 1_000;

/**
 * How many are inside, and how many were at most during the last second: what a
 * scrape every half minute would otherwise never see.
 */
export class Peak {
  readonly #clock: Clock;
  #current = 0;
  #windowStart: number;
  #windowPeak = 0;
  #lastPeak = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#windowStart = clock.monotonic();
  }

  enter(): void {
    this.#roll();
    this.#current++;
    if (this.#current > this.#windowPeak) this.#windowPeak = this.#current;
  }

  leave(): void {
    this.#roll();
    this.#current--;
  }

  get current(): number {
    return this.#current;
  }

  get peak(): number {
    this.#roll();
    return Math.max(this.#lastPeak, this.#windowPeak);
  }

  #roll(): void {
    const now = this.#clock.monotonic();
    const age = now - this.#windowStart;
    if (age < WINDOW_MS) return;
    this.#lastPeak = age < 2 * WINDOW_MS ? this.#windowPeak : this.#current;
    this.#windowPeak = this.#current;
    this.#windowStart = now;
  }
}
