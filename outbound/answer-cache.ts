import type { Clock } from '../api/clock.ts';

/** Answers beyond these make room by forgetting the one that was asked for longest ago. */
const MAX_ANSWERS = 8_192;

interface Answer<V> {
  readonly value: V;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/**
 * Caches answers for a while. Callers that ask the same question while it is
 * on its way share its answer. Failures are not cached.
 */
export class AnswerCache<V> {
  readonly #clock: Clock;
  readonly #ttlMs: (value: V) => number;
  /** In the order of use. */
  readonly #answers = new Map<string, Answer<V>>();
  readonly #asked = new Map<string, Promise<V>>();

  constructor(clock: Clock, ttlMs: (value: V) => number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  get(question: string, ask: () => Promise<V>): V | Promise<V> {
    const known = this.#answers.get(question);
    if (known !== undefined) {
      this.#answers.delete(question);
      if (known.until > this.#clock.monotonic()) {
        this.#answers.set(question, known);
        return known.value;
      }
    }
    let asked = this.#asked.get(question);
    if (asked === undefined) {
      asked = ask()
        .then((value) => {
          this.#remember(question, value);
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

  #remember(question: string, value: V): void {
    const ttlMs = this.#ttlMs(value);
    if (ttlMs <= 0) return;
    this.#answers.set(question, { value, until: this.#clock.monotonic() + ttlMs });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MAX_ANSWERS) break;
      this.#answers.delete(oldest);
    }
  }
}
