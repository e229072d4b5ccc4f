import type { IndexedState } from './indexed-state.ts';
import type { IndexMemory } from './index-memory.ts';
import { KeptIndex, type Follower } from './kept-index.ts';

/** Indexes of one kind of one collection. */
const MAX_INDEXES = 32;
/** Of so many it is counted how often they were asked for. */
const MAX_COUNTED = 256;
/** Ticks, which are seconds, after which the counts begin again. */
const COUNT_TICKS = 600;
/** An index without room is tried again after this many reads. */
const ASKS_AFTER_REFUSAL = 100;

/** The indexes of a collection that reads have asked for often enough. */
export class AskedIndexes<T extends Follower> {
  readonly #state: IndexedState;
  readonly #memory: IndexMemory;
  readonly #indexes = new Map<unknown, KeptIndex<T>>();
  readonly #asked = new Map<unknown, number>();
  #countedSince = 0;
  #isFilling = false;

  constructor(state: IndexedState, memory: IndexMemory) {
    this.#state = state;
    this.#memory = memory;
  }

  /** The index, if it is there; when it has been asked for so often, it is made, in turns. */
  find(id: unknown, asksBefore: number, make: () => T): KeptIndex<T> | undefined {
    const known = this.#indexes.get(id);
    if (known !== undefined) return known;
    const asks = this.#count(id);
    if (asks >= asksBefore && !this.#isFilling) void this.#fill(id, make);
    return undefined;
  }

  #count(id: unknown): number {
    if (this.#memory.now - this.#countedSince > COUNT_TICKS) {
      this.#asked.clear();
      this.#countedSince = this.#memory.now;
    }
    const asks = (this.#asked.get(id) ?? 0) + 1;
    this.#asked.delete(id);
    if (this.#asked.size === MAX_COUNTED) {
      const [oldest] = this.#asked.keys();
      this.#asked.delete(oldest);
    }
    this.#asked.set(id, asks);
    return asks;
  }

  async #fill(id: unknown, make: () => T): Promise<void> {
    if (this.#indexes.size >= MAX_INDEXES && !this.#dropOldest()) return;
    this.#isFilling = true;
    try {
      const kept = new KeptIndex(make(), this.#state, this.#memory, () => this.#indexes.delete(id));
      await kept.fill();
      // there was no room for it
      if (kept.isLost) this.#asked.set(id, -ASKS_AFTER_REFUSAL);
      else this.#indexes.set(id, kept);
    } finally {
      this.#isFilling = false;
    }
  }

  #dropOldest(): boolean {
    const [first, ...others] = this.#indexes.values();
    if (first === undefined) return false;
    const oldest = others.reduce((a, b) => (b.usedAt < a.usedAt ? b : a), first);
    if (this.#memory.now === oldest.usedAt) return false;
    oldest.drop();
    return true;
  }
}
