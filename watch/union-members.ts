import type { Revision } from '../api/revision.ts';
import type { Collection } from './collection.ts';
import type { HistoryEvent } from './history.ts';
import { Cursor, type Member } from './union-member.ts';

interface Wakers {
  /** Has the stream woken by changes of the collection. */
  readonly join: (collection: Collection) => void;
  readonly leave: (collection: Collection) => void;
}

/** The members of a stream, and the cursors that are read for those that have begun. */
export class UnionMembers {
  readonly #wakers: Wakers;
  readonly #byId = new Map<string, Member>();
  readonly #cursors = new Map<Collection, Cursor>();

  constructor(wakers: Wakers) {
    this.#wakers = wakers;
  }

  get size(): number {
    return this.#byId.size;
  }

  get collections(): readonly Collection[] {
    return [...this.#cursors.keys()];
  }

  get(id: string): Member | undefined {
    return this.#byId.get(id);
  }

  all(): readonly Member[] {
    return [...this.#byId.values()];
  }

  /** Those that have begun and follow the collection. */
  of(collection: Collection): readonly Member[] {
    return this.#cursors.get(collection)?.members ?? [];
  }

  /** One that has to show first how it changes with rights, where the stream stands at a revision. */
  stale(revision: Revision): Member | undefined {
    for (const { members } of this.#cursors.values()) {
      const stale = members.find(
        ({ from, request }) => from <= revision && request.scope.rights?.rights.isStale === true,
      );
      if (stale !== undefined) return stale;
    }
    return undefined;
  }

  add(member: Member): void {
    this.#byId.set(member.request.id, member);
  }

  /** The events of the member's collection are for it from now on. */
  begin(member: Member): void {
    const { collection } = member;
    let cursor = this.#cursors.get(collection);
    if (cursor === undefined) {
      cursor = new Cursor(collection);
      this.#cursors.set(collection, cursor);
      this.#wakers.join(collection);
    }
    cursor.add(member);
  }

  drop(member: Member): void {
    const { collection, request } = member;
    member.isOpen = false;
    this.#byId.delete(request.id);
    const cursor = this.#cursors.get(collection);
    cursor?.remove(member);
    if (cursor?.members.length === 0) {
      this.#cursors.delete(collection);
      this.#wakers.leave(collection);
    }
    request.onEnd();
  }

  /** Finds the first events after what the stream has passed; false: memory does not go back so far. */
  place(passed: Revision): boolean {
    let isPlaced = true;
    for (const cursor of this.#cursors.values()) if (!cursor.place(passed)) isPlaced = false;
    return isPlaced;
  }

  /** The stream has read events elsewhere: positions have to be found again. */
  displace(): void {
    for (const cursor of this.#cursors.values()) cursor.displace();
  }

  /** Revision of the next events; undefined: there are none. */
  next(): Revision | undefined {
    let first: Revision | undefined;
    for (const cursor of this.#cursors.values()) {
      const next = cursor.next();
      if (next !== undefined && (first === undefined || next < first)) first = next;
    }
    return first;
  }

  /** Passes the events of a revision, which is the next one. */
  take(revision: Revision): (readonly [Collection, HistoryEvent])[] {
    const events: [Collection, HistoryEvent][] = [];
    for (const cursor of this.#cursors.values()) {
      while (cursor.next() === revision) events.push([cursor.collection, cursor.take()]);
    }
    return events;
  }
}
