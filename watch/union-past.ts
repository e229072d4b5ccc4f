import type { Clock } from '../api/clock.ts';
import { maxRevision, type Revision } from '../api/revision.ts';
import type { Collection } from './collection.ts';
import { settled, type Coroutine } from './coroutine.ts';
import type { HistoryEvent } from './history.ts';
import type { Outlet } from './outlet.ts';
import type { CollectionEvent } from './past-event.ts';
import type { Member } from './union-member.ts';
import type { UnionMembers } from './union-members.ts';

/** A stream that reads the store's history and has no room for so long lets others read it. */
const PAST_PATIENCE_MS = 1_000;

/** Reads events from the store's own history, until memory has what follows. */
export type ReadPast = (
  collections: readonly Collection[],
  after: Revision,
) => AsyncGenerator<CollectionEvent, void>;

/** What members are sent through. */
export interface Out {
  readonly outlet: Outlet;
  readonly clock: Clock;
  readonly past: ReadPast;
  readonly deliver: (member: Member, event: HistoryEvent) => Coroutine;
}

/**
 * Events of one member up to a revision. Returns the revision that has been reached: the last one, or that before a client had no room for long.
 */
export function* sendPast(
  member: Member,
  after: Revision,
  until: Revision,
  { outlet, past, deliver }: Out,
): Coroutine<Revision> {
  const { collection } = member;
  const events = past([collection], after);
  let reached = after;
  try {
    for (;;) {
      const { value, done } = yield* settled(events.next());
      if (done === true) return maxRevision(reached, collection.history.floor);
      const { event } = value;
      if (event.revision > until) return until;
      if (event.revision > reached) {
        const hasRoom = yield* settled(outlet.room(PAST_PATIENCE_MS));
        if (!hasRoom) return reached;
      }
      yield* deliver(member, event);
      reached = event.revision;
      if (!member.isOpen) return reached;
    }
  } finally {
    void events.return();
  }
}

/**
 * Events of all members from the store's own history, in the order of the log.
 * Returns the revision that has been reached.
 */
export function* readPast(
  members: UnionMembers,
  after: Revision,
  { outlet, past, deliver }: Out,
): Coroutine<Revision> {
  const { collections } = members;
  let reading = after;
  const events = past(collections, after);
  try {
    for (;;) {
      const { value, done } = yield* settled(events.next());
      if (done === true) break;
      const { collection, event } = value;
      if (event.revision !== reading) {
        const hasRoom = yield* settled(outlet.room(PAST_PATIENCE_MS));
        if (!hasRoom) return reading;
        reading = event.revision;
      }
      for (const member of members.of(collection)) yield* deliver(member, event);
    }
    // the store had nothing more up to where the memory of all of them begins
    return collections.map(({ history }) => history.floor).reduce(maxRevision, reading);
  } finally {
    members.displace();
    void events.return();
  }
}
