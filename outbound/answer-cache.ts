import { LRUCache } from 'lru-cache';
import type { Clock } from '../api/clock.ts';

/** Beyond these, the answer that was asked for longest ago is dropped. */
const MAX_ANSWERS = 8_192;
/** The same for their bytes together: another server decides how long an answer is. */
const MAX_ANSWERS_BYTES = 32 * 1024 * 1024;
/** Of an answer and its question, whatever it says. */
const BASE_BYTES = 256;

/** In an object, because the cache does not hold `undefined`. */
interface Answer<V> {
  readonly value: V;
}

/**
 * Caches answers for a while. Callers that ask the same question while it is
 * on its way share its answer. Failures are not cached.
 */
export class AnswerCache<V> {
  readonly #ttlMs: (value: V) => number;
  readonly #answers: LRUCache<string, Answer<V>>;
  readonly #asked = new Map<string, Promise<V>>();

  /** `ttlMs`: how long an answer is kept; 0 or less: not at all. `bytesOf`: what it takes in memory, about. */
  constructor(clock: Clock, ttlMs: (value: V) => number, bytesOf: (value: V) => number) {
    this.#ttlMs = ttlMs;
    this.#answers = new LRUCache({
      max: MAX_ANSWERS,
      maxSize: MAX_ANSWERS_BYTES,
      sizeCalculation: ({ value }) => BASE_BYTES + bytesOf(value),
      perf: { now: () => clock.monotonic() },
      ttlResolution: 0,
    });
  }

  known(question: string): Answer<V> | undefined {
    return this.#answers.get(question);
  }

  /** The cached answer, or the answer of `ask`, whose failure reaches every waiting caller. */
  get(question: string, ask: () => Promise<V>): V | Promise<V> {
    const known = this.known(question);
    if (known !== undefined) return known.value;
    let asked = this.#asked.get(question);
    if (asked === undefined) {
      asked = ask()
        .then((value) => {
          const ttl = this.#ttlMs(value);
          if (ttl > 0) this.#answers.set(question, { value }, { ttl });
          return value;
        })
        .finally(() => this.#asked.delete(question));
      this.#asked.set(question, asked);
    }
    return asked;
  }

  clear(): void {
    this.#answers.clear();
  }
}
