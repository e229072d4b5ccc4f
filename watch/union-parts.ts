import type { Clock } from '../api/clock.ts';
import type { Revision } from '../api/revision.ts';
import type { Collection } from './collection.ts';
import type { FrameSink } from './frame-sink.ts';
import type { StreamSchedule } from './schedule.ts';
import type { ReadPast } from './union-past.ts';

/** What a stream over many collections is made of. */
export interface UnionParts {
  /** The log is followed from here on. */
  readonly after: Revision;
  readonly clock: Clock;
  /** The frame that says up to where everything has been sent, over all members. */
  readonly bookmark: (revision: Revision) => Buffer;
  readonly schedule: StreamSchedule;
  readonly sink: FrameSink;
  readonly collection: (prefix: string) => Collection;
  /** Newest revision that the replica shows. */
  readonly present: () => Revision;
  readonly past: ReadPast;
  /** Has the stream woken by changes of the collection. */
  readonly join: (collection: Collection) => void;
  readonly leave: (collection: Collection) => void;
  /** Called once when the stream is over, for whatever reason. */
  readonly onClose: () => void;
}
