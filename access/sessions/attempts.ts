import type { Clock } from '../../api/clock.ts';
import { IpAddress, IpPrefix } from '../../api/ip.ts';

/** Attempts to sign in from one network at once, and milliseconds until one more is allowed. */
const MAX_ATTEMPTS = 20;
const REFILL_MS = 3_000;
/** Networks that are remembered, for each step; the one that was seen longest ago is forgotten first. */
const MAX_NETWORKS = 10_000;
/** Bits of an IPv6 address that say whose it is: one machine has all addresses behind them. */
const NETWORK_BITS = 64;

/** A sign-in begins, or comes back from the issuer; each step has a bound of its own. */
export type SignInStep = 'begin' | 'return';

/** Bounds how often an address tries to sign in. */
export interface AttemptCounter {
  /** Counts an attempt. Undefined: it may go on; otherwise seconds to wait. */
  secondsToWait(address: string, step: SignInStep): Promise<number | undefined>;
}

interface Seen {
  readonly left: number;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** Counts in this process. */
export class Attempts implements AttemptCounter {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  secondsToWait(address: string, step: SignInStep): Promise<number | undefined> {
    return Promise.resolve(this.count(address, step));
  }

  /** As `secondsToWait`, at once. */
  count(address: string, step: SignInStep): number | undefined {
    const now = this.#clock.monotonic();
    const counted = `${step} ${networkOf(address)}`;
    const before = this.#seen.get(counted);
    const gained = before === undefined ? 0 : (now - before.at) / REFILL_MS;
    const left = Math.min(MAX_ATTEMPTS, (before?.left ?? MAX_ATTEMPTS) + gained);
    if (left < 1) return Math.ceil(((1 - left) * REFILL_MS) / 1000);
    this.#seen.delete(counted);
    this.#seen.set(counted, { left: left - 1, at: now });
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= MAX_NETWORKS) break;
      this.#seen.delete(oldest);
    }
    return undefined;
  }
}

/** An IPv4 address stands for itself, also where it is written as one of IPv6. */
function networkOf(address: string): string {
  const ip = IpAddress.parse(address, { allowZone: true });
  if (ip === undefined || ip.family === 4 || ip.isMapped()) return address;
  const plain = IpAddress.of(ip.family, ip.value);
  return (plain && IpPrefix.of(plain, NETWORK_BITS)?.masked().canonical()) ?? address;
}
