import type { IEvent, IWatchResponse } from 'etcd3/lib/rpc.js';
import { revisionOf, type Revision } from '../../api/revision.ts';
import type { StoreEvent } from '../interface.ts';
import type { KeySpace } from './key-space.ts';

/** What a watch remembers of the newest event, to recognise the history it has seen. */
export interface Anchor {
  readonly key: Buffer;
  readonly revision: Revision;
  /** Undefined for a delete. */
  readonly value: Buffer | undefined;
}

export interface DecodedEvents {
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
  { events: raw }: Pick<IWatchResponse, 'events'>,
  from: Revision,
): DecodedEvents {
  const events: StoreEvent[] = [];
  let newest: IEvent | undefined;
  let revision: Revision | undefined;
  let text: string | undefined;
  let parsed = from;
  for (const event of raw) {
    const { mod_revision } = event.kv;
    if (mod_revision !== text) {
      text = mod_revision;
      parsed = revisionOf(mod_revision);
    }
    if (parsed < from) continue;
    revision = parsed;
    newest = event;
    if (!keys.isOwn(event.kv.key)) events.push(decode(keys, event, parsed));
  }
  const anchor =
    newest === undefined || revision === undefined
      ? undefined
      : {
          key: newest.kv.key,
          revision,
          value: newest.type === 'Delete' ? undefined : newest.kv.value,
        };
  return { events, revision, anchor };
}

function decode(keys: KeySpace, event: IEvent, revision: Revision): StoreEvent {
  const { kv } = event;
  const key = keys.relative(kv.key);
  // Absent on the wire reads as null here, whatever the types say.
  const before = event.prev_kv as IEvent['prev_kv'] | null;
  const previous = before === null ? {} : { previous: keys.item(before) };
  if (event.type === 'Delete') return { type: 'delete', key, revision, ...previous };
  const created = kv.create_revision === kv.mod_revision;
  return { type: 'put', key, value: kv.value, revision, created, ...previous };
}
