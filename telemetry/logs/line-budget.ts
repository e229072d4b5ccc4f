import type { Clock } from '../../api/clock.ts';

/** Lines that may be written at once ... */
const BURST_LINES = 100;
/** ... and in each second from then on. */
const LINES_PER_SECOND = 10;

/** Bounds lines of one sort: those beyond the rate are counted instead. */
export class LineBudget {
  readonly #clock: Clock;
  #room = BURST_LINES;
  #at: number;
  #leftOut = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.monotonic();
  }

  /** How many lines were left out since the last one; undefined: leave this one out. */
  take(): number | undefined {
    const now = this.#clock.monotonic();
    const added = ((now - this.#at) / 1000) * LINES_PER_SECOND;
    this.#at = now;
    this.#room = Math.min(BURST_LINES, this.#room + added);
    if (this.#room < 1) {
      this.#leftOut++;
      return undefined;
    }
    this.#room--;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
