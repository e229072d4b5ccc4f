/** A value that only rises, and what it was at any time. Raised in the order of time. */
export class Floor<T extends number | bigint> {
  readonly #times: number[] = [];
  readonly #values: T[] = [];
  readonly #bottom: T;

  constructor(bottom: T) {
    this.#bottom = bottom;
  }

  raise(time: number, value: T): void {
    if (value <= (this.#values.at(-1) ?? this.#bottom)) return;
    this.#times.push(time);
    this.#values.push(value);
  }

  /** What it was before a time. */
  before(time: number): T {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#times[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return this.#values[low - 1] ?? this.#bottom;
  }
}
