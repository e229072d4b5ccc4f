/**
 * A cache that forgets what was used longest ago. Keys come from expressions,
 * so an unbounded one would be a leak that anyone can open.
 */
export class BoundedCache<V> {
  readonly #entries = new Map<string, V>();
  readonly #limit: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  /** `limit`: what all values may weigh together; each weighs one unless said otherwise. */
  constructor(limit: number, weigh: (value: V) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get(key: string, make: (key: string) => V): V {
    if (this.#entries.has(key)) {
      const known = this.#entries.get(key) as V;
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const value = make(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const [oldest, unused] of this.#entries) {
      if (this.#weight <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#weight -= this.#weigh(unused);
    }
    return value;
  }
}
