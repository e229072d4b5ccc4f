import type { Revision } from '../api/revision.ts';
import type { Collection } from './collection.ts';
import type { Entry } from './entry.ts';
import type { EntryMaker } from './past-event.ts';

/**
 * While a fresh replica reads back, most events are about states that it holds
 * already, and the state before an event is nearly always that of the event
 * before: they share one entry, as they would if the replica had seen them live.
 */
export class SharedEntries {
  readonly #last = new Map<Collection, Map<string, Entry>>();

  makerFor(collection: Collection): EntryMaker {
    let last = this.#last.get(collection);
    if (last === undefined) this.#last.set(collection, (last = new Map<string, Entry>()));
    return (key, value, revision) => entryOf(collection, last, key, value, revision);
  }
}

function entryOf(
  collection: Collection,
  last: Map<string, Entry>,
  key: string,
  value: Buffer,
  revision: Revision,
): Entry {
  const known = [last.get(key), collection.items.get(key)].find(
    (entry) => entry?.revision === revision,
  );
  const entry = known ?? collection.entryOf(key, value, revision);
  last.set(key, entry);
  return entry;
}
