/** Below this the limit never goes: enough to keep a store and a processor busy. */
const MIN_LIMIT = 8;
const SHRINK = 0.7;
const GROW = 1 / 16;
/** A round of the event loop that took longer shows that too much is worked on at a time … */
const LONG_ROUND_MS = 6;
/** … and one that was shorter, that there may be more. */
const SHORT_ROUND_MS = 3;

/**
 * How many may be worked on at a time just now: what the operator allows, and
 * less while rounds of the event loop are long. Work that waits for others
 * (a webhook, another machine's disk) keeps rounds short; writes that all go on
 * when one batch is on disk do not. Less under way is no less work done.
 */
export class AdaptiveLimit {
  readonly #max: number;
  #current: number;

  constructor(max: number) {
    this.#max = max;
    this.#current = max;
  }

  get current(): number {
    return this.#current;
  }

  get isReduced(): boolean {
    return this.#current < this.#max;
  }

  /** A round of the event loop in which requests waited took so long, with so many under way. */
  sawRound(ms: number, used: number): void {
    if (ms > LONG_ROUND_MS) {
      const shrunk = Math.floor(Math.min(this.#current, used) * SHRINK);
      this.#current = Math.min(this.#max, Math.max(MIN_LIMIT, shrunk));
    } else if (ms < SHORT_ROUND_MS && this.isReduced) {
      this.#current = Math.min(this.#max, this.#current + Math.max(1, this.#current * GROW));
    }
  }
}
