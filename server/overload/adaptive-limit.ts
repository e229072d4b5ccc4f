/** Below this the limit never goes: enough to keep a store and a processor busy. */
const MIN_LIMIT = 8;
const SHRINK = 0.7;
/** Slowly: some hundred rounds lie between two long ones, and work that goes on when a batch is on disk comes back at once. */
const GROW_A_ROUND = 0.1;
/** Faster while no request may begin and the loop has nothing to do: then the work waits for others. */
const GROW_IDLE = 1;
/** A round of the event loop that took longer shows that too much is worked on at a time … */
const LONG_ROUND_MS = 4;
/** … and one that was shorter, that there may be more. */
const SHORT_ROUND_MS = 2;

/**
 * How many may be worked on at a time just now: what the operator allows, and
 * less while rounds of the event loop are long. Work that waits for others
 * (a webhook, another machine's disk) keeps rounds short; writes that all go on
 * when one batch is on disk do not. Fewer requests under way do not mean less work done.
 */
export class AdaptiveLimit {
  /** What the operator allows. */
  readonly max: number;
  #current: number;

  constructor(max: number) {
    this.max = max;
    this.#current = max;
  }

  get current(): number {
    return this.#current;
  }

  get isReduced(): boolean {
    return this.#current < this.max;
  }

  /** A round of the event loop in which requests waited took so long, with so many under way. */
  sawRound(ms: number, used: number): void {
    if (ms > LONG_ROUND_MS) {
      const shrunk = Math.floor(Math.min(this.#current, used) * SHRINK);
      this.#current = Math.min(this.max, Math.max(MIN_LIMIT, shrunk));
    } else if (ms < SHORT_ROUND_MS) {
      this.#grow(GROW_A_ROUND);
    }
  }

  /** Requests wait for a seat, and those that have one wait for something else. */
  sawIdle(): void {
    this.#grow(GROW_IDLE);
  }

  #grow(by: number): void {
    this.#current = Math.min(this.max, this.#current + by);
  }
}
