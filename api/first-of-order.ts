import type { Steps } from './steps.ts';

/** Items that are merged between two pauses. */
const ITEMS_PER_STEP = 500;

type Compare<T> = (a: T, b: T) => number;

/**
 * The first items of an order, out of any number that come in any order. Holds
 * about twice as many as are asked for, in sorted runs, each at least twice as
 * long as the next.
 */
export class FirstOfOrder<T> {
  readonly #limit: number;
  readonly #compare: Compare<T>;
  readonly #runs: T[][] = [];

  /** `limit`: how many of them; Infinity for all. */
  constructor(limit: number, compare: Compare<T>) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** What comes behind this one is not among the first; undefined while there are too few. */
  get last(): T | undefined {
    const [longest] = this.#runs;
    return longest?.length === this.#limit ? longest.at(-1) : undefined;
  }

  /** Takes a few hundred items at most, which it sorts. */
  *add(items: readonly T[]): Steps<void> {
    const { last } = this;
    const chosen =
      last === undefined ? [...items] : items.filter((item) => this.#compare(item, last) < 0);
    if (chosen.length === 0) return;
    chosen.sort(this.#compare);
    if (chosen.length > this.#limit) chosen.length = this.#limit;
    this.#runs.push(chosen);
    while (this.#isUneven()) yield* this.#mergeLast();
  }

  /** All of them in order; nothing may be added afterwards. */
  *take(): Steps<T[]> {
    while (this.#runs.length > 1) yield* this.#mergeLast();
    return this.#runs[0] ?? [];
  }

  #isUneven(): boolean {
    const [last, before] = [this.#runs.at(-1), this.#runs.at(-2)];
    return last !== undefined && before !== undefined && before.length < 2 * last.length;
  }

  *#mergeLast(): Steps<void> {
    const b = this.#runs.pop() ?? [];
    const a = this.#runs.pop() ?? [];
    const length = Math.min(this.#limit, a.length + b.length);
    const merged: T[] = [];
    for (let i = 0, j = 0; merged.length < length;) {
      const takesA = j === b.length || (i < a.length && this.#compare(a[i] as T, b[j] as T) <= 0);
      merged.push((takesA ? a[i++] : b[j++]) as T);
      if (merged.length % ITEMS_PER_STEP === 0) yield;
    }
    this.#runs.push(merged);
  }
}
