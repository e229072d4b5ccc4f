import type { Collection } from './collection.ts';
import type { Entry } from './entry.ts';
import type { HistoryEvent } from './history.ts';
import type { ReadonlyOrderedMap } from './ordered-map.ts';
import type { Replica } from './replica.ts';

/** What has happened in a collection since it was last asked. */
export type Changes =
  /** Anything may have: look at all of `items`. */
  | { readonly all: true; readonly items: ReadonlyOrderedMap<Entry> }
  | { readonly all: false; readonly events: readonly HistoryEvent[] };

/**
 * Reads a collection's changes in order, so that state derived from objects costs
 * work in proportion to the changes, not to the number of objects. After a
 * reload, or when history was cut before it was read, it starts over with all
 * objects.
 */
export class Follower {
  readonly #replica: Replica;
  readonly #prefix: string;
  #collection: Collection | undefined;
  #next = 0;

  constructor(replica: Replica, prefix: string) {
    this.#replica = replica;
    this.#prefix = prefix;
  }

  changes(): Changes {
    const collection = this.#replica.collection(this.#prefix);
    const { history } = collection;
    if (collection !== this.#collection || this.#next < history.start) {
      this.#collection = collection;
      this.#next = history.end;
      return { all: true, items: collection.items.snapshot() };
    }
    const events: HistoryEvent[] = [];
    for (; this.#next < history.end; this.#next++) events.push(history.at(this.#next));
    return { all: false, events };
  }

  /** Has anything happened that {@link changes} would tell? */
  get behind(): boolean {
    const collection = this.#replica.collection(this.#prefix);
    return collection !== this.#collection || this.#next < collection.history.end;
  }
}
