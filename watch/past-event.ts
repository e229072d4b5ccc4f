import type { Revision } from '../api/revision.ts';
import type { StoreEvent } from '../storage/interface.ts';
import type { Collection } from './collection.ts';
import { Entry } from './entry.ts';
import type { HistoryEvent } from './history.ts';

/** An event, and the collection that it belongs to. */
export interface CollectionEvent {
  readonly collection: Collection;
  readonly event: HistoryEvent;
}

/** Makes the entry of a stored value, or gives one that is there already for the same revision. */
export type EntryMaker = (key: string, value: Buffer, revision: Revision) => Entry;

/**
 * An event of the store's log as watchers see it, made without a replica's
 * state: the value before comes from the store. Undefined when the store has
 * lost that value to a compaction; selectors and deletions cannot be decided
 * without it, so a stream that needs the event must start again from a list.
 */
export function pastEvent(
  event: StoreEvent,
  key: string,
  seenAt: number,
  entryOf: EntryMaker = (...of) => Entry.fromStored(...of),
): HistoryEvent | undefined {
  const { revision } = event;
  const created = event.type === 'put' && event.created;
  const previous = event.previous && entryOf(key, event.previous.value, event.previous.revision);
  if (!created && previous === undefined) return undefined;
  if (event.type === 'put') {
    const type = created ? 'ADDED' : 'MODIFIED';
    const entry = entryOf(key, event.value, revision);
    return { type, revision, entry, previous, seenAt, frames: undefined };
  }
  if (previous === undefined) return undefined;
  const entry = previous.deletedAt(revision);
  return { type: 'DELETED', revision, entry, previous, seenAt, frames: undefined };
}
