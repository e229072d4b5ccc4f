import type { Revision } from '../api/revision.ts';
import { Turn } from '../api/turn.ts';
import { settled, type Coroutine } from './coroutine.ts';
import type { Entry } from './entry.ts';
import { stateFrame } from './frames.ts';
import { narrowed } from './narrowed.ts';
import type { Snapshot } from './snapshot.ts';
import { StateWriter } from './state-writer.ts';
import type { Member } from './union-member.ts';
import { sendPast, type Out } from './union-past.ts';

/** The objects of a state as ADDED frames of a member, in slabs, with back-pressure. */
export function* sendState(member: Member, snapshot: Snapshot, out: Out): Coroutine {
  const { outlet, clock } = out;
  const { encoder, scope } = member.request;
  const turn = new Turn(clock);
  const writer = new StateWriter(outlet);
  const { chunks, matches } = yield* settled(narrowed(snapshot, scope.range, scope));
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next: IteratorResult<Entry[], void> = yield* settled(iterator.next());
    if (next.done === true) break;
    const entries = next.value;
    const preparation = scope.prepare?.(entries);
    if (preparation !== undefined) yield preparation;
    for (const entry of entries) {
      if (turn.over()) yield turn.next();
      if (!member.isOpen) return;
      if (entry.corrupt || !matches(entry)) continue;
      const made = stateFrame(encoder, entry);
      const frame = made instanceof Promise ? yield* settled(made) : made;
      if (writer.add(member.named(frame)) && outlet.full) yield outlet.room();
    }
  }
  if (member.isOpen) writer.flush();
}

/**
 * The events of one member between two revisions, for one that begins at an
 * earlier revision than that which its stream has reached.
 */
export function* sendBacklog(
  member: Member,
  after: Revision,
  until: Revision,
  out: Out,
): Coroutine {
  const { history } = member.collection;
  let reached = after;
  while (member.isOpen && reached < until) {
    if (reached < history.floor) {
      reached = yield* sendPast(member, reached, until, out);
      continue;
    }
    const position = history.positionAfter(reached);
    const event = position < history.end ? history.at(position) : undefined;
    if (event === undefined || event.revision > until) return;
    // Taken first: the history may be cut while the stream waits for room.
    const events = [];
    for (let at = position; at < history.end; at++) {
      const each = history.at(at);
      if (each.revision !== event.revision) break;
      events.push(each);
    }
    for (const each of events) yield* out.deliver(member, each);
    if (out.outlet.full) yield out.outlet.room();
    reached = event.revision;
  }
}
