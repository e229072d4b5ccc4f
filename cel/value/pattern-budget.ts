import { writtenPattern } from './pattern.ts';

/** Adds up what the patterns of a definition take to compile, in nanoseconds, each pattern once. */
export class PatternBudget {
  readonly #limit: number;
  readonly #counted = new Set<string>();
  #work = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** More has been counted than there may be: nothing further should be compiled. */
  get isExceeded(): boolean {
    return this.#work > this.#limit;
  }

  /** Counts a pattern, before it is compiled. */
  count(pattern: string): void {
    if (this.#counted.has(pattern)) return;
    this.#counted.add(pattern);
    this.#work += writtenPattern(pattern).work;
  }
}
