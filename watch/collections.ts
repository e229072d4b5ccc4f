import { maxRevision, NO_REVISION, type Revision } from '../api/revision.ts';
import { Collection } from './collection.ts';
import type { EntryMemory } from './entry-memory.ts';

/** The collections of a replica by prefix: those that hold objects, and those that were asked for. */
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

  /** No client has seen revisions up to this one. */
  raiseFloor(floor: Revision): void {
    this.#floor = maxRevision(this.#floor, floor);
    for (const { history } of this.values()) history.raiseFloor(floor);
  }

  /**
   * Drops collections of resources that are gone, once they are empty and not
   * watched. `present`: the revision that the replica has reached; a watch that
   * resumes from an earlier revision reads the store.
   */
  dropIdle(isServed: (prefix: string) => boolean, present: Revision): void {
    for (const [prefix, collection] of this.#byPrefix) {
      if (!collection.isIdle || isServed(prefix)) continue;
      this.#byPrefix.delete(prefix);
      this.#droppedAt = present;
    }
  }
}
