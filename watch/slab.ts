/** Opens slabs, and clears those that have become too empty. */
export interface SlabOwner {
  /** Some slab has a tenant more, of so many bytes. */
  entered(length: number): void;
  /** This slab has lost one. */
  left(length: number, slab: Slab): void;
  /** A slab with room for so many bytes; no more than what a slab was found for before. */
  slabFor(length: number): Slab;
}

/**
 * One allocation that many tenants share. It is filled once, from its beginning
 * to its end, and never written again, so a view of a part stays valid after
 * its tenant has left.
 */
export class Slab {
  readonly owner: SlabOwner;
  readonly #memory: Buffer;
  #tenants: Tenant[] = [];
  #used = 0;
  #held = 0;
  #cleared = false;

  constructor(owner: SlabOwner, memory: Buffer) {
    this.owner = owner;
    this.#memory = memory;
  }

  get size(): number {
    return this.#memory.length;
  }

  /** Bytes of its tenants. */
  get held(): number {
    return this.#held;
  }

  /** How many they are. */
  get tenants(): number {
    return this.#tenants.length;
  }

  /** True once the slab has no tenants and takes no new ones. */
  get cleared(): boolean {
    return this.#cleared;
  }

  hasRoom(length: number): boolean {
    return length <= this.size - this.#used;
  }

  /** All of it. What lies before the last reservation is not to be written. */
  get memory(): Buffer {
    return this.#memory;
  }

  /** Where so many bytes begin, for the caller to fill; there must be room. */
  reserve(length: number): number {
    const start = this.#used;
    this.#used += length;
    return start;
  }

  view(start: number, length: number): Buffer {
    return this.#memory.subarray(start, start + length);
  }

  /** Returns the slot by which the tenant leaves. */
  enter(tenant: Tenant): number {
    this.#held += tenant.byteLength;
    return this.#tenants.push(tenant) - 1;
  }

  /** Returns the tenant that has the slot now, if any. */
  leave(tenant: Tenant, slot: number): Tenant | undefined {
    this.#held -= tenant.byteLength;
    const last = this.#tenants.pop();
    if (last === undefined || last === tenant) return undefined;
    this.#tenants[slot] = last;
    return last;
  }

  /** All tenants, who have to move. */
  clear(): readonly Tenant[] {
    const tenants = this.#tenants;
    this.#tenants = [];
    this.#held = 0;
    this.#cleared = true;
    return tenants;
  }
}

/** Bytes that stand by themselves, or a part of a slab. */
export type Place =
  | { readonly bytes: Buffer }
  | { readonly slab: Slab; readonly start: number; readonly length: number };

/**
 * Something whose bytes may lie in a slab. While it is held the slab counts it,
 * and it moves with the others when the slab has become too empty.
 * Holding is a matter of memory, never of correctness: bytes stay valid as long
 * as something refers to them.
 */
export abstract class Tenant {
  /** Of a part of a slab: made when it is first asked for, 104 bytes that most objects of a load never need. */
  #bytes: Buffer | undefined;
  #slab: Slab | undefined;
  #start: number;
  #slot = 0;
  #holders = 0;
  readonly byteLength: number;

  constructor(place: Place) {
    if ('bytes' in place) {
      this.#bytes = place.bytes;
      this.#slab = undefined;
      this.#start = 0;
      this.byteLength = place.bytes.length;
    } else {
      this.#bytes = undefined;
      this.#slab = place.slab;
      this.#start = place.start;
      this.byteLength = place.length;
    }
  }

  /** The same bytes at all times, but not always the same view of them. */
  get bytes(): Buffer {
    return (this.#bytes ??= this.#view());
  }

  /** To be followed by as many releases. */
  hold(): void {
    const slab = this.#slab;
    if (this.#holders++ > 0 || slab === undefined) return;
    slab.owner.entered(this.byteLength);
    if (slab.cleared) this.moveTo(slab.owner.slabFor(this.byteLength));
    else this.#slot = slab.enter(this);
  }

  release(): void {
    const slab = this.#slab;
    if (--this.#holders > 0 || slab === undefined) return;
    const other = slab.leave(this, this.#slot);
    if (other !== undefined) other.#slot = this.#slot;
    this.#bytes ??= this.#view();
    // From now on it keeps the memory of the slab alive, not those who live there.
    this.#slab = undefined;
    slab.owner.left(this.byteLength, slab);
  }

  /** Only for the slabs' owner: the slab, which must have room, gets a copy. */
  moveTo(slab: Slab): void {
    const before = this.#bytes;
    const start = slab.reserve(this.byteLength);
    if (before !== undefined) before.copy(slab.memory, start);
    else this.#slab?.memory.copy(slab.memory, start, this.#start, this.#start + this.byteLength);
    this.#bytes = undefined;
    this.#slab = slab;
    this.#start = start;
    this.#slot = slab.enter(this);
    if (before !== undefined) this.moved(before);
  }

  #view(): Buffer {
    // without a slab the bytes are there from the beginning
    return (this.#slab as Slab).view(this.#start, this.byteLength);
  }

  /** What has been kept of the view before would keep the whole slab alive. */
  protected abstract moved(before: Buffer): void;
}
