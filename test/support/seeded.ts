/** Random numbers from a seed (mulberry32): a run that found something can be repeated. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

/** Seeds to run with: PLINTH_SEEDS="1,2,3", or so many new ones. */
export function seeds(count: number): number[] {
  const given = process.env.PLINTH_SEEDS;
  if (given !== undefined) return given.split(',').map(Number);
  const times = Number(process.env.PLINTH_SEED_RUNS ?? count);
  return Array.from({ length: times }, () => Math.floor(Math.random() * 2 ** 31));
}
