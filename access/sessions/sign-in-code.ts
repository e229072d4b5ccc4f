import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../api/clock.ts';

/** Milliseconds for which a code can be used. */
const CODE_MS = 15 * 60 * 1000;

interface Issued {
  readonly digest: Buffer;
  /** Monotonic milliseconds. */
  readonly endsAt: number;
}

/** The code of the link that the server prints: it signs in once, soon. */
export class SignInCode {
  readonly #clock: Clock;
  readonly #newCode: () => string;
  #issued: Issued | undefined;

  /** `newCode`: 32 random bytes in base64url. */
  constructor(clock: Clock, newCode: () => string) {
    this.#clock = clock;
    this.#newCode = newCode;
  }

  /** A new code, which takes the place of the one before. */
  issue(): string {
    const code = this.#newCode();
    this.#issued = { digest: digestOf(code), endsAt: this.#clock.monotonic() + CODE_MS };
    return code;
  }

  /** Is there one that can still be used? */
  get isOpen(): boolean {
    return this.#issued !== undefined && this.#clock.monotonic() < this.#issued.endsAt;
  }

  /** True once, for the right code in time. Takes the same time for every wrong one. */
  take(code: string): boolean {
    const isOpen = this.isOpen;
    const digest = this.#issued?.digest ?? digestOf('');
    if (!timingSafeEqual(digest, digestOf(code)) || !isOpen) return false;
    this.#issued = undefined;
    return true;
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
