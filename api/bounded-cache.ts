import { unsliced } from './unsliced.ts';

/**
 * A cache that forgets what has not been used for long. Keys come from requests,
 * expressions and schemas, so an unbounded one would be a leak that anyone can open.
 * A key that was cut out of the body of a request does not keep that body, nor does
 * what is made of it.
 *
 * It is two maps: what was used since the newer one was begun, and what the one
 * before it held. So finding something is one look-up, and changes no order.
 */
export class BoundedCache<V> {
  #recent = new Map<string, V>();
  #older = new Map<string, V>();
  readonly #limit: number;
  readonly #weigh: (value: V, key: string) => number;
  #weight = 0;

  /** `limit`: what the values of either map may weigh together; each weighs one unless said otherwise. */
  constructor(limit: number, weigh: (value: V, key: string) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  has(key: string): boolean {
    return this.#recent.has(key) || this.#older.has(key);
  }

  get(key: string, make: (key: string) => V): V {
    const known = this.#recent.get(key);
    if (known !== undefined || this.#recent.has(key)) return known as V;
    const own = unsliced(key);
    const value = this.#older.has(own) ? (this.#older.get(own) as V) : make(own);
    const weight = this.#weigh(value, own);
    // what alone would be too much must not make everything else be forgotten
    if (weight > this.#limit) return value;
    if (this.#weight + weight > this.#limit) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#weight = 0;
    }
    this.#recent.set(own, value);
    this.#weight += weight;
    return value;
  }
}
