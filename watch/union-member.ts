import { NO_REVISION, type Revision } from '../api/revision.ts';
import type { Collection } from './collection.ts';
import type { Encoder } from './frames.ts';
import { LookAhead } from './look-ahead.ts';
import type { Scope } from './scope.ts';
import type { SubscriptionStart } from './subscription-parts.ts';

/** What a client follows on a stream over many collections. */
export interface MemberRequest {
  /** Names it on its stream; every frame of it carries the name. */
  readonly id: string;
  /** Of the keys of its resource. */
  readonly prefix: string;
  readonly scope: Scope;
  readonly encoder: Encoder;
  readonly start: SubscriptionStart;
  /** Called once when it is over, for whatever reason. */
  readonly onEnd: () => void;
}

/** One of the things that a stream over many collections follows. */
export class Member {
  readonly request: MemberRequest;
  readonly collection: Collection;
  readonly lookAhead: LookAhead;
  /** Events up to this revision are not for it. */
  from: Revision = NO_REVISION;
  isOpen = true;
  /** It begins after the events up to this revision. */
  readonly begins: Revision;
  readonly #head: Buffer;

  constructor(request: MemberRequest, collection: Collection) {
    this.request = request;
    this.collection = collection;
    const { start } = request;
    this.begins = start.from === 'state' ? start.snapshot.revision : NO_REVISION;
    this.lookAhead = new LookAhead(request.scope);
    this.#head = headOf(request.id);
  }

  /** A frame with the member's id in it. */
  named(frame: Buffer): Buffer {
    return Buffer.concat([this.#head, frame.subarray(1)]);
  }
}

function headOf(id: string): Buffer {
  return Buffer.from(`{"id":${JSON.stringify(id)},`);
}

/** A frame with an id in it. */
export function named(id: string, frame: Buffer): Buffer {
  return Buffer.concat([headOf(id), frame.subarray(1)]);
}

/** How far a stream has read the history of one collection, for all members that follow it. */
export class Cursor {
  readonly collection: Collection;
  members: readonly Member[] = [];
  /** In the collection's history; undefined: to be found. */
  #position: number | undefined;

  constructor(collection: Collection) {
    this.collection = collection;
  }

  add(member: Member): void {
    this.members = [...this.members, member];
    // it may need events that the others have no use for
    this.#position = undefined;
  }

  remove(member: Member): void {
    this.members = this.members.filter((each) => each !== member);
  }

  /** Finds the first event after what the stream has passed; false: memory does not go back so far. */
  place(passed: Revision): boolean {
    const { history } = this.collection;
    if (this.#position !== undefined && this.#position >= history.start) return true;
    const from = this.members.map((member) => member.from);
    const first = from.reduce((a, b) => (a < b ? a : b), from[0] ?? passed);
    const after = first > passed ? first : passed;
    if (after < history.floor) return false;
    this.#position = history.positionAfter(after);
    return true;
  }

  /** The position has to be found again: the stream has read past events elsewhere. */
  displace(): void {
    this.#position = undefined;
  }

  /** Revision of the next event; undefined: there is none. To be called once it is placed. */
  next(): Revision | undefined {
    const { history } = this.collection;
    const position = this.#position;
    if (position === undefined || position >= history.end) return undefined;
    return history.at(position).revision;
  }

  /** Passes the next event. */
  take(): ReturnType<Collection['history']['at']> {
    const position = this.#position ?? this.collection.history.end;
    this.#position = position + 1;
    return this.collection.history.at(position);
  }
}

/** Those that begin earlier come first. */
export function byBeginning(a: Member, b: Member): number {
  return a.begins === b.begins ? 0 : a.begins < b.begins ? -1 : 1;
}
