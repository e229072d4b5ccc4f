import { parseStoredJson } from '../../api/json-parse.ts';
import type { Clock } from '../../api/clock.ts';
import { isStoreError } from '../../storage/errors.ts';
import type { Store } from '../../storage/interface.ts';
import { sha256 } from './session-seal.ts';

/** Keys of no resource: replicas ignore them, and no request reaches them. */
const PREFIX = 'console-code.';
/** Seconds for which a code can be used. */
const CODE_SECONDS = 15 * 60;

interface SignInCodesOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** 32 random bytes in base64url. */
  readonly newCode: () => string;
}

/**
 * The codes of the links that servers print: each signs in once, soon, at any
 * process of any server on the store. The store keeps their hashes alone.
 */
export class SignInCodes {
  readonly #options: SignInCodesOptions;

  constructor(options: SignInCodesOptions) {
    this.#options = options;
  }

  /** @throws StoreError (as rejection) */
  async issue(): Promise<string> {
    const { store, clock, newCode } = this.#options;
    const code = newCode();
    // the store may keep what has ended for longer than it was asked to
    const value = Buffer.from(JSON.stringify({ endsAt: clock.now() + CODE_SECONDS * 1000 }));
    const made = await store.create(keyOf(code), value, { ttlSeconds: CODE_SECONDS });
    if (made.outcome !== 'ok') throw new Error('two codes are the same');
    return code;
  }

  /** Whether there is one that can still be used: none while the store cannot be read. */
  async isOpen(): Promise<boolean> {
    try {
      const { items } = await this.#options.store.list({ prefix: PREFIX });
      return items.some(({ value }) => this.#isInTime(value));
    } catch (error) {
      if (isStoreError(error)) return false;
      throw error;
    }
  }

  /**
   * True once, for the right code in time.
   *
   * @throws StoreError (as rejection)
   */
  async take(code: string): Promise<boolean> {
    const { store } = this.#options;
    const key = keyOf(code);
    const { item } = await store.get(key);
    if (item === undefined || !this.#isInTime(item.value)) return false;
    // of two that take the same code, one finds it changed
    return (await store.delete(key, item.revision)).outcome === 'ok';
  }

  #isInTime(value: Buffer): boolean {
    const { endsAt } = parseStoredJson(value);
    return typeof endsAt === 'number' && this.#options.clock.now() < endsAt;
  }
}

function keyOf(code: string): string {
  return PREFIX + sha256(code);
}
