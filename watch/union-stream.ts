import type { ApiError } from '../api/api-error.ts';
import { NO_REVISION, maxRevision, type Revision } from '../api/revision.ts';
import { Turn } from '../api/turn.ts';
import { CoroutineRun, settled, type Coroutine } from './coroutine.ts';
import { failureOf } from './failures.ts';
import { errorFrame } from './frames.ts';
import type { HistoryEvent } from './history.ts';
import { Outlet } from './outlet.ts';
import { selectedFrame } from './selected-frame.ts';
import { TurningPoints } from './turning-points.ts';
import { byBeginning, Member, named, type MemberRequest } from './union-member.ts';
import { UnionMembers } from './union-members.ts';
import type { UnionParts } from './union-parts.ts';
import { readPast, type Out } from './union-past.ts';
import { followRights } from './union-rights.ts';
import { sendBacklog, sendState } from './union-start.ts';

/** Events that a stream passes before others have their turn. */
const EVENTS_PER_TURN = 256;

/** What needs no waiting, as a coroutine. */
function* onceDone(act: () => void): Coroutine {
  yield* [];
  act();
}

/**
 * One stream over many collections: a cursor over the log for each, merged by
 * revision. The replica applies each revision to all collections at once, so
 * the smallest next revision is the next one of the log. What a client adds or
 * removes takes effect between two transactions. Like other watches it
 * remembers positions, not events, and stops while its sink is full.
 */
export class UnionStream {
  readonly #parts: UnionParts;
  readonly #outlet: Outlet;
  readonly #run: CoroutineRun;
  readonly #members: UnionMembers;
  readonly #turningPoints = new TurningPoints();
  readonly #out: Out;
  /** Everything up to this revision has been passed. */
  #revision: Revision;
  readonly #turnOfFilters: Turn;
  #eventsOfTurn = 0;
  #isOpen = true;
  #isEnded = false;

  constructor(parts: UnionParts) {
    this.#parts = parts;
    this.#revision = parts.after;
    this.#members = new UnionMembers(parts);
    this.#outlet = new Outlet(parts.sink, parts.clock);
    this.#out = {
      ...{ outlet: this.#outlet, clock: parts.clock, past: parts.past },
      deliver: (member, event) => this.#deliver(member, event),
    };
    this.#turnOfFilters = new Turn(parts.clock, 1);
    this.#run = new CoroutineRun(this.#work(), (error) => this.#fail(error));
  }

  /** Members, those that have not begun among them. */
  get size(): number {
    return this.#members.size;
  }

  has(id: string): boolean {
    return this.#members.get(id) !== undefined;
  }

  /** To be called once. */
  start(): void {
    this.#parts.schedule.start({
      bookmark: () => this.#bookmark(),
      timeout: () => this.close(),
    });
  }

  /**
   * Follows more: of each its state first, or what came after its revision. Then
   * its own bookmark, and from there on its events with those of the others. The
   * ids must not be in use.
   */
  add(requests: readonly MemberRequest[]): void {
    const members = requests.map((each) => new Member(each, this.#parts.collection(each.prefix)));
    // those without a state begin before a state holds up the log
    for (const member of members.sort(byBeginning)) {
      if (!this.#isOpen) {
        member.request.onEnd();
        continue;
      }
      this.#members.add(member);
      this.#turningPoints.push(member.begins, () => this.#begin(member));
    }
    this.pump();
  }

  /** False: there is none of this id. */
  remove(id: string): boolean {
    const member = this.#members.get(id);
    if (member === undefined) return false;
    this.#members.drop(member);
    this.#say(member.named(Buffer.from('{"type":"REMOVED"}\n')));
    return true;
  }

  /** Ends one member with an ERROR frame. */
  end(id: string, error: ApiError): void {
    const member = this.#members.get(id);
    if (member !== undefined) this.#end(member, error);
  }

  /** Ends one member once everything that has happened by now has been sent. */
  endLater(id: string, error: ApiError): void {
    const member = this.#members.get(id);
    if (member === undefined) return;
    this.#turnOnce(this.#parts.present(), () => this.#end(member, error));
  }

  /** An ERROR frame for something that could not become a member. */
  refuse(id: string, error: ApiError): void {
    this.#say(named(id, errorFrame(error.status)));
  }

  /** Resolves when everything that was added and removed has taken effect; undefined: it has. */
  settled(): Promise<void> | undefined {
    return this.#isOpen && !this.#turningPoints.isEmpty ? this.#turningPoints.settled() : undefined;
  }

  /** There may be events to send. */
  pump(): void {
    this.#run.wake();
  }

  /** The sink has room again. */
  resume(): void {
    this.#outlet.resume();
    this.pump();
  }

  /** Ends the stream cleanly: the client may go on from the last bookmark it has seen. */
  close(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.halt();
    this.#parts.schedule.stop();
    for (const member of this.#members.all()) this.#members.drop(member);
    this.#parts.onClose();
    this.#outlet.end();
    this.#run.stop();
  }

  /** Sends nothing more, and waits to be ended. */
  halt(): void {
    this.#isOpen = false;
    this.#turningPoints.tellSettled();
  }

  /** Ends the stream with an ERROR frame that concerns all members. */
  closeWithError(error: ApiError): void {
    if (this.#isEnded) return;
    this.#outlet.write(errorFrame(error.status));
    this.close();
  }

  *#work(): Coroutine {
    while (this.#isOpen) {
      if (this.#outlet.full) {
        yield this.#outlet.room();
        continue;
      }
      if (!this.#members.place(this.#revision)) {
        this.#revision = yield* readPast(this.#members, this.#revision, this.#out);
        continue;
      }
      const stale = this.#members.stale(this.#revision);
      if (stale !== undefined) {
        yield* this.#followRights(stale);
        continue;
      }
      const next = this.#members.next();
      if (this.#turningPoints.isDue(next)) {
        yield* this.#turningPoints.runFirst();
      } else if (next === undefined) {
        this.#revision = maxRevision(this.#revision, this.#parts.present());
        yield undefined;
      } else {
        yield* this.#transaction(next);
      }
    }
  }

  /** All events of a revision; nothing else comes between them. */
  *#transaction(revision: Revision): Coroutine {
    // Taken first: the history may be cut while the stream waits for room.
    const events = this.#members.take(revision);
    for (const [collection, event] of events) {
      for (const member of this.#members.of(collection)) {
        yield* this.#deliver(member, event);
        if (this.#outlet.full) yield this.#outlet.room();
      }
    }
    this.#revision = maxRevision(this.#revision, revision);
    this.#eventsOfTurn += events.length;
    if (this.#eventsOfTurn < EVENTS_PER_TURN) return;
    this.#eventsOfTurn = 0;
    yield new Turn(this.#parts.clock).next();
  }

  /** What goes wrong with an event ends the member, not the stream. */
  *#deliver(member: Member, event: HistoryEvent): Coroutine {
    if (!member.isOpen || event.revision <= member.from) return;
    if (member.request.scope.isCostly === true && this.#turnOfFilters.over())
      yield this.#turnOfFilters.next();
    try {
      const preparation = member.lookAhead.prepare([event]);
      if (preparation !== undefined) yield preparation;
      const { encoder, scope } = member.request;
      const made = selectedFrame(encoder, scope, event);
      const frame = made instanceof Promise ? yield* settled(made) : made;
      if (frame !== undefined) this.#write(member, frame);
    } catch (error) {
      this.#end(member, this.#failure(error));
    }
  }

  *#followRights(member: Member): Coroutine {
    try {
      yield* followRights(member, this.#revision, this.#out);
    } catch (error) {
      this.#end(member, this.#failure(error));
    }
  }

  *#begin(member: Member): Coroutine {
    const { start, encoder } = member.request;
    const isState = start.from === 'state';
    const from = isState ? start.snapshot.revision : start.revision;
    try {
      if (isState) yield* sendState(member, start.snapshot, this.#out);
      // the stream may have read past it in the store's history
      yield* sendBacklog(member, from, this.#revision, this.#out);
      member.from = maxRevision(from, this.#revision);
    } catch (error) {
      this.#end(member, this.#failure(error, from));
    }
    if (!member.isOpen) return;
    this.#write(member, encoder.bookmark(member.from, isState));
    this.#members.begin(member);
  }

  #turn(after: Revision, run: () => Coroutine): void {
    if (!this.#isOpen) return;
    this.#turningPoints.push(after, run);
    this.pump();
  }

  #turnOnce(after: Revision, act: () => void): void {
    this.#turn(after, () => onceDone(act));
  }

  /** A frame between two transactions. */
  #say(frame: Buffer): void {
    this.#turnOnce(NO_REVISION, () => this.#outlet.write(frame));
  }

  #write(member: Member, frame: Buffer): void {
    if (member.isOpen && this.#isOpen) this.#outlet.write(member.named(frame));
  }

  #end(member: Member, error: ApiError): void {
    if (!member.isOpen) return;
    this.#members.drop(member);
    this.#say(member.named(errorFrame(error.status)));
  }

  /** Only when nothing is left to send: a bookmark never overtakes an event. */
  #bookmark(): void {
    this.pump();
    if (!this.#isOpen || this.#run.isBusy || this.#outlet.full) return;
    // a state that was read from a store that is ahead counts as sent once the log is there
    const isAhead = this.#members.all().some(({ from }) => from > this.#revision);
    if (!isAhead) this.#outlet.write(this.#parts.bookmark(this.#revision));
  }

  #failure(error: unknown, at = this.#revision): ApiError {
    return failureOf(error, at, this.#parts.present());
  }

  #fail(error: unknown): void {
    if (this.#isOpen) this.closeWithError(this.#failure(error));
  }
}
