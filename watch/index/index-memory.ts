const MIN_INDEXED_OBJECTS = 500;

/** What the indexes of a replica may take. */
export interface IndexLimits {
  /** Bytes of all of them, about. */
  readonly maxBytes: number;
  /** Collections with fewer objects are looked through. */
  readonly minObjects: number;
}

const DEFAULT_INDEX_LIMITS: IndexLimits = {
  maxBytes: 128 * 1024 * 1024,
  minObjects: MIN_INDEXED_OBJECTS,
};

/** One that was used within so many ticks, which are seconds, does not give way to a new one. */
const IN_USE_TICKS = 60;
/** One that was not used for so many ticks goes. */
const IDLE_TICKS = 600;

/** Something that takes memory as long as it is asked for. */
export interface Held {
  readonly bytes: number;
  /** The tick at which it was asked last. */
  usedAt: number;
  /** A second has passed. */
  tick(): void;
  drop(): void;
}

/** The memory of all indexes of a replica: those that were not asked for longest give way. */
export class IndexMemory {
  readonly limits: IndexLimits;
  readonly #held = new Set<Held>();
  #now = 0;

  constructor(limits: Partial<IndexLimits> = {}) {
    this.limits = { ...DEFAULT_INDEX_LIMITS, ...limits };
  }

  /** Counts the seconds. */
  get now(): number {
    return this.#now;
  }

  /** About how much memory the indexes take. */
  get bytes(): number {
    let bytes = 0;
    for (const held of this.#held) bytes += held.bytes;
    return bytes;
  }

  /** How many they are. */
  get count(): number {
    return this.#held.size;
  }

  enter(held: Held): void {
    held.usedAt = this.#now;
    this.#held.add(held);
  }

  leave(held: Held): void {
    this.#held.delete(held);
  }

  /** A second has passed: what was not asked for long goes. */
  tick(): void {
    this.#now++;
    for (const held of this.#held) {
      if (this.#now - held.usedAt > IDLE_TICKS) held.drop();
      else held.tick();
    }
  }

  /** Makes room for one that has grown; false when there is none, and it has to go. */
  makeRoom(grown: Held): boolean {
    while (this.bytes > this.limits.maxBytes) {
      const oldest = this.#oldestBut(grown);
      if (oldest === undefined || this.#now - oldest.usedAt <= IN_USE_TICKS) return false;
      oldest.drop();
    }
    return true;
  }

  #oldestBut(grown: Held): Held | undefined {
    let oldest: Held | undefined;
    for (const held of this.#held) {
      if (held !== grown && (oldest === undefined || held.usedAt < oldest.usedAt)) oldest = held;
    }
    return oldest;
  }
}
