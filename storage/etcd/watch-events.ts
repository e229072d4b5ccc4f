import { revisionOf, type Revision } from '../../api/revision.ts';
import type { StoreEvent } from '../interface.ts';
import type { KeySpace } from './key-space.ts';
import type { WatchEvent } from './wire.ts';

/** What a watch remembers of the newest event, to recognise the history it has seen. */
export interface Anchor {
  readonly key: Buffer;
  readonly revision: Revision;
  /** Undefined for a delete. */
  readonly value: Buffer | undefined;
}

interface DecodedEvents {
  readonly events: StoreEvent[];
  /** Revision of the newest event; undefined when there is none that is new. */
  readonly revision: Revision | undefined;
  readonly anchor: Anchor | undefined;
}

/**
 * The events of a complete response from `from` on. Older ones are dropped: a
 * member that has been cut off and catches up from a snapshot repeats events
 * (etcd issue 15271), and one asked for a revision of the future may show older
 * ones (etcd issue 20221). The store's own keys advance the revision only.
 */
export function decodeEvents(
  keys: KeySpace,
  raw: readonly WatchEvent[],
  from: Revision,
): DecodedEvents {
  const events: StoreEvent[] = [];
  let newest: WatchEvent | undefined;
  for (const event of raw) {
    if (event.kv.modRevision < from) continue;
    newest = event;
    if (!keys.isOwn(event.kv.key)) events.push(decode(keys, event));
  }
  if (newest === undefined) return { events, revision: undefined, anchor: undefined };
  const { key, modRevision, value } = newest.kv;
  const revision = revisionOf(modRevision);
  return { events, revision, anchor: { key, revision, value: newest.deleted ? undefined : value } };
}

function decode(keys: KeySpace, { kv, deleted, previous: before }: WatchEvent): StoreEvent {
  const key = keys.relative(kv.key);
  const revision = revisionOf(kv.modRevision);
  const previous = before === undefined ? {} : { previous: keys.item(before) };
  if (deleted) return { type: 'delete', key, revision, ...previous };
  const created = kv.createRevision === kv.modRevision;
  return { type: 'put', key, value: kv.value, revision, created, ...previous };
}
