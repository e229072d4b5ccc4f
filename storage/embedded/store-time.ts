import type { Clock } from '../../api/clock.ts';

const BYTES = 16;

/**
 * The time that keys with a time to live are measured in: milliseconds that have
 * passed since the store was made. While the process runs it follows the
 * monotonic clock, so that setting the wall clock lets no key vanish early. The
 * time between two runs can only be had from the wall clock; a clock that went
 * back counts as no time at all.
 */
export class StoreTime {
  readonly #clock: Clock;
  readonly #openedAt: number;
  readonly #before: number;

  /** `saved` is what the last run saved; undefined for a new store. */
  constructor(clock: Clock, saved: Buffer | undefined) {
    this.#clock = clock;
    this.#openedAt = clock.monotonic();
    if (saved === undefined) {
      this.#before = 0;
    } else {
      const downtime = clock.now() - Number(saved.readBigUInt64BE(8));
      this.#before = Number(saved.readBigUInt64BE()) + Math.max(0, downtime);
    }
  }

  now(): number {
    return Math.floor(this.#before + this.#clock.monotonic() - this.#openedAt);
  }

  save(): Buffer {
    const bytes = Buffer.allocUnsafe(BYTES);
    bytes.writeBigUInt64BE(BigInt(this.now()));
    bytes.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(this.#clock.now()))), 8);
    return bytes;
  }
}
