import { Slab, type SlabOwner } from './slab.ts';

/**
 * A separate allocation costs about 300 bytes more for each object than a part of
 * a slab. A slab is also the most that a view keeps alive after its object is
 * gone, as part of an answer to a slow client.
 */
export const SLAB_BYTES = 256 * 1024;
/** What is larger than this part of a slab has memory of its own: no more is lost where the next one does not fit. */
const LARGEST_SHARE = 1 / 8;
/** When less than this part of all slabs is in use, the emptiest ones are cleared. */
const USED_SHARE = 3 / 4;
/** Copied in one round of compaction: a few milliseconds. */
const ROUND_BYTES = 8 * 1024 * 1024;
/** Moved in one round; of small values the number counts, not the bytes. */
const ROUND_TENANTS = 8_000;

/**
 * Memory for many small values of which any may go at any time. When it has
 * been compacted, all slabs together take no more than a third above what is
 * held in them, and the two that are being filled. What is new and what has
 * outlived a slab lie apart, so that what is short-lived empties whole slabs.
 */
export class Slabs implements SlabOwner {
  readonly #size: number;
  readonly #full = new Set<Slab>();
  #fresh: Slab | undefined;
  #survivors: Slab | undefined;
  #bytes = 0;
  #held = 0;

  constructor(size = SLAB_BYTES) {
    this.#size = size;
  }

  /** Bytes of one slab. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of all slabs in use, without those that only views keep alive. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Where a new value of this length goes; undefined for one that is too large to share a slab. */
  find(length: number): Slab | undefined {
    return length > this.#size * LARGEST_SHARE ? undefined : this.slabFor(length);
  }

  slabFor(length: number): Slab {
    if (this.#fresh?.hasRoom(length) !== true) this.#fresh = this.#instead(this.#fresh);
    return this.#fresh;
  }

  /** A slab that was filled elsewhere; its tenants are to be held at once. */
  adopt(memory: Buffer): Slab {
    const slab = new Slab(this, memory);
    slab.reserve(memory.length);
    this.#full.add(slab);
    this.#bytes += memory.length;
    return slab;
  }

  entered(length: number): void {
    this.#held += length;
  }

  left(length: number, slab: Slab): void {
    this.#held -= length;
    if (slab.held === 0 && this.#full.has(slab)) this.#clear(slab);
  }

  /**
   * Gives up the emptiest slabs by moving what is left in them, while too little
   * of all is in use. One call does a bounded part of that; it is to be called
   * about every second: what has gone meanwhile goes at once, and what a slab
   * loses in many small steps costs one move.
   */
  compact(): void {
    const round = { bytes: 0, tenants: 0 };
    // Again, because the slab that survivors go to may have been too empty itself when it became full.
    while (this.#isTooEmpty() && hasTime(round)) {
      for (const slab of [...this.#full].sort((a, b) => a.held - b.held)) {
        if (!this.#isTooEmpty() || !hasTime(round)) return;
        round.bytes += slab.held;
        round.tenants += slab.tenants;
        this.#clear(slab);
      }
    }
  }

  #isTooEmpty(): boolean {
    return (this.#bytes - 2 * this.#size) * USED_SHARE > this.#held;
  }

  #clear(slab: Slab): void {
    this.#full.delete(slab);
    this.#bytes -= slab.size;
    for (const tenant of slab.clear()) tenant.moveTo(this.#slabForSurvivor(tenant.byteLength));
  }

  #slabForSurvivor(length: number): Slab {
    if (this.#survivors?.hasRoom(length) !== true) this.#survivors = this.#instead(this.#survivors);
    return this.#survivors;
  }

  /** A new slab for one that is full. */
  #instead(full: Slab | undefined): Slab {
    if (full !== undefined) {
      this.#full.add(full);
      if (full.held === 0) this.#clear(full);
    }
    this.#bytes += this.#size;
    return new Slab(this, Buffer.allocUnsafeSlow(this.#size));
  }
}

function hasTime(round: { readonly bytes: number; readonly tenants: number }): boolean {
  return round.bytes < ROUND_BYTES && round.tenants < ROUND_TENANTS;
}
