import type { Clock } from '../../api/clock.ts';

const INTERVAL_MS = 60_000;
const MAX_KEYS = 100;

/** Keeps what repeats from filling the log: one line for each key in a minute. */
export class LogLimit {
  readonly #clock: Clock;
  readonly #keys = new Map<string, { at: number; suppressed: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many lines of this key were left out since the last one; undefined: leave this one out. */
  admit(key: string): number | undefined {
    const now = this.#clock.monotonic();
    const known = this.#keys.get(key);
    if (known !== undefined && now - known.at < INTERVAL_MS) {
      known.suppressed++;
      return undefined;
    }
    this.#keys.delete(key);
    this.#keys.set(key, { at: now, suppressed: 0 });
    if (this.#keys.size > MAX_KEYS) {
      const [oldest] = this.#keys.keys();
      if (oldest !== undefined) this.#keys.delete(oldest);
    }
    return known?.suppressed ?? 0;
  }
}
