import { NO_REVISION, type Revision } from '../../api/revision.ts';
import type { Entry } from '../entry.ts';
import type { History } from '../history.ts';
import type { OrderedMap, ReadonlyOrderedMap } from '../ordered-map.ts';

/** What an index is made of: the objects of a collection, and the events that led to them. */
export interface IndexedState {
  readonly items: OrderedMap<Entry>;
  readonly history: History;
  /** Keys of the present objects that cannot be read. */
  readonly unreadable: ReadonlySet<string>;
  /** The state has every change up to this revision, also those that the history gets later. */
  readonly loadedAt: Revision;
}

/** A state of the collection to read from. */
export interface ReadState {
  readonly revision: Revision;
  readonly items: ReadonlyOrderedMap<Entry>;
}

/** What has become of an object: its states before and after; undefined where it was not there. */
export interface Change {
  readonly before: Entry | undefined;
  after: Entry | undefined;
}

/**
 * The changes between two positions of a history by key, each from its first state
 * to its last; `after`: without those up to a revision.
 */
export function changesBetween(
  history: History,
  from: number,
  to: number,
  after: Revision = NO_REVISION,
): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (let at = from; at < to; at++) {
    const { type, revision, entry, previous } = history.at(at);
    if (revision <= after) continue;
    const now = type === 'DELETED' ? undefined : entry;
    const known = changes.get(entry.key);
    if (known === undefined) changes.set(entry.key, { before: previous, after: now });
    else known.after = now;
  }
  return changes;
}
