import type { Clock } from '../api/clock.ts';
import type { Revision } from '../api/revision.ts';
import type { Broadcaster } from './broadcaster.ts';
import type { Collection } from './collection.ts';
import type { Encoder } from './frames.ts';
import type { HistoryEvent } from './history.ts';
import type { StreamSchedule } from './schedule.ts';
import type { Scope } from './scope.ts';
import type { FrameSink } from './subscription.ts';

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
  readonly past: (after: Revision) => AsyncIterable<HistoryEvent>;
  /** Called once when the stream is over, for whatever reason. */
  readonly onClose: () => void;
}
