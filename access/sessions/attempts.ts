import type { Clock } from '../../api/clock.ts';

/** Attempts to sign in from one address at once, and milliseconds until one more is allowed. */
const MAX_ATTEMPTS = 20;
const REFILL_MS = 3_000;
/** Addresses that are remembered; the one that was seen longest ago is forgotten first. */
const MAX_ADDRESSES = 10_000;

interface Seen {
  readonly left: number;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** Bounds how often an address tries to sign in. */
export class Attempts {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an attempt. Undefined: it may go on; otherwise seconds to wait. */
  secondsToWait(address: string): number | undefined {
    const now = this.#clock.monotonic();
    const before = this.#seen.get(address);
    const gained = before === undefined ? 0 : (now - before.at) / REFILL_MS;
    const left = Math.min(MAX_ATTEMPTS, (before?.left ?? MAX_ATTEMPTS) + gained);
    if (left < 1) return Math.ceil(((1 - left) * REFILL_MS) / 1000);
    this.#seen.delete(address);
    this.#seen.set(address, { left: left - 1, at: now });
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= MAX_ADDRESSES) break;
      this.#seen.delete(oldest);
    }
    return undefined;
  }
}
