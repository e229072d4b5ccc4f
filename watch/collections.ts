import { maxRevision, NO_REVISION, type Revision } from '../api/revision.ts';
import { Collection } from './collection.ts';
import type { EntryMemory } from './entry-memory.ts';

/** The collections of a replica by prefix: those that hold something, and those that somebody has asked for. */
export class Collections {
  readonly #byPrefix: Map<string, Collection>;
  readonly #memory: EntryMemory;
  /** Every change after it has been seen here. */
  #floor: Revision;
  /** When one was dropped last: what happened in it before that is not known here any more. */
  #droppedAt: Revision = NO_REVISION;

  /** `loaded`: what there was at revision `floor`. */
  constructor(memory: EntryMemory, floor: Revision, loaded = new Map<string, Collection>()) {
    this.#memory = memory;
    this.#floor = floor;
    this.#byPrefix = loaded;
  }

  /** Made empty when nothing of it exists. */
  of(prefix: string): Collection {
    let collection = this.#byPrefix.get(prefix);
    if (collection === undefined) {
      const floor = maxRevision(this.#floor, this.#droppedAt);
      collection = new Collection(prefix, floor, this.#memory);
      this.#byPrefix.set(prefix, collection);
    }
    return collection;
  }

  has(prefix: string): boolean {
    return this.#byPrefix.has(prefix);
  }

  values(): IterableIterator<Collection> {
    return this.#byPrefix.values();
  }

  /** Every change after this earlier revision is in the histories now. */
  lowerFloor(floor: Revision): void {
    this.#floor = floor;
    for (const { history } of this.values()) history.lowerFloor(floor);
  }

  /** Nobody can have seen what came up to this revision. */
  raiseFloor(floor: Revision): void {
    this.#floor = maxRevision(this.#floor, floor);
    for (const { history } of this.values()) history.raiseFloor(floor);
  }

  /**
   * Forgets those of resources that are gone, as soon as there is nothing in
   * them and nobody follows them. `present`: the revision up to which everything
   * has been seen; whoever goes on in one of them from before it reads the store.
   */
  dropIdle(isServed: (prefix: string) => boolean, present: Revision): void {
    for (const [prefix, collection] of this.#byPrefix) {
      if (!collection.isIdle || isServed(prefix)) continue;
      this.#byPrefix.delete(prefix);
      this.#droppedAt = present;
    }
  }
}
