import type { Clock } from '../api/clock.ts';
import type { Revision } from '../api/revision.ts';
import type { Broadcaster } from './broadcaster.ts';
import type { Collection } from './collection.ts';
import type { CollectionEvent } from './past-event.ts';
import type { Encoder } from './frames.ts';
import type { StreamSchedule } from './schedule.ts';
import type { Scope } from './scope.ts';
import type { Snapshot } from './snapshot.ts';
import type { FrameSink } from './frame-sink.ts';

/** From which point a stream begins. */
export type SubscriptionStart =
  /** The objects of a state as ADDED, then what came after it. */
  | { readonly from: 'state'; readonly snapshot: Snapshot; readonly endBookmark: boolean }
  /** What came after a revision. */
  | { readonly from: 'revision'; readonly revision: Revision };

/** What a stream is made of. */
export interface SubscriptionParts {
  readonly collection: Collection;
  readonly broadcaster: Broadcaster;
  readonly clock: Clock;
  readonly encoder: Encoder;
  readonly scope: Scope;
  readonly schedule: StreamSchedule;
  readonly sink: FrameSink;
  /** Newest revision that the replica shows. */
  readonly present: () => Revision;
  /** Reads events after a revision that memory no longer holds from the store, until memory does. */
  readonly past: (after: Revision) => AsyncIterable<CollectionEvent>;
  /** Called once when the stream is over, for whatever reason. */
  readonly onClose: () => void;
}
