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

/**
 * What makes the random inputs of a run: the same in every run, so that a change is not refused for
 * what another one did. `PLINTH_SEED=new` takes another one, `PLINTH_SEED=<number>` a given one.
 */
export const SEED = seedOf(process.env['PLINTH_SEED']);

function seedOf(given: string | undefined): number {
  return given === 'new' ? Math.floor(Math.random() * 2 ** 31) : Number(given ?? 20_261_124);
}

/** Seeds to run with: PLINTH_SEEDS="1,2,3", PLINTH_SEED_RUNS=5 for so many new ones, or those of {@link SEED}. */
export function seeds(count: number): number[] {
  const given = process.env['PLINTH_SEEDS'];
  if (given !== undefined) return given.split(',').map(Number);
  const times = process.env['PLINTH_SEED_RUNS'];
  if (times === undefined) return Array.from({ length: count }, (_, at) => SEED + at);
  return Array.from({ length: Number(times) }, () => Math.floor(Math.random() * 2 ** 31));
}
