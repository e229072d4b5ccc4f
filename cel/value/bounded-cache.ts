/**
 * A cache that forgets what has not been used for long. Keys come from
 * expressions and schemas, so an unbounded one would be a leak that anyone can open.
 *
 * It is two maps: what was used since the newer one was begun, and what the one
 * before it held. So finding something is one look-up, and changes no order.
 */
export class BoundedCache<V> {
  #recent = new Map<string, V>();
  #older = new Map<string, V>();
  readonly #limit: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  /** `limit`: what the values of either map may weigh together; each weighs one unless said otherwise. */
  constructor(limit: number, weigh: (value: V) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get(key: string, make: (key: string) => V): V {
    const known = this.#recent.get(key);
    if (known !== undefined || this.#recent.has(key)) return known as V;
    const value = this.#older.has(key) ? (this.#older.get(key) as V) : make(key);
    const weight = this.#weigh(value);
    // what alone would be too much must not make everything else be forgotten
    if (weight > this.#limit) return value;
    if (this.#weight + weight > this.#limit) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#weight = 0;
    }
    this.#recent.set(key, value);
    this.#weight += weight;
    return value;
  }
}
