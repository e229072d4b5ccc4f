import { maxRevision, NO_REVISION, type Revision } from '../api/revision.ts';
import type { Entry } from './entry.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change of one object, as every watcher of its resource sees it before selectors. */
export interface HistoryEvent {
  readonly type: EventType;
  readonly revision: Revision;
  /** The state after the change; for DELETED the last state, under the revision of the deletion. */
  readonly entry: Entry;
  /** The state before the change, under its own revision; absent for ADDED. */
  readonly previous: Entry | undefined;
  /** Monotonic time at which this replica saw it, in milliseconds. */
  readonly seenAt: number;
  /** Frames made for this event, by representation; emptied once the event is no longer fresh. */
  frames: Map<string, Buffer> | undefined;
}

/**
 * The recent events of one resource, oldest first. Positions are counted from
 * the first event ever appended, so a reader's position stays valid while old
 * events are cut off in front of it.
 */
export class History {
  #events: HistoryEvent[] = [];
  /** Index in #events of the oldest event that is kept; what lies before is cut off in bulk. */
  #head = 0;
  /** Position of #events[0]. */
  #base = 0;
  #floor: Revision;
  #gap: Revision = NO_REVISION;
  #bytes = 0;
  /** Events before this position have no frames left. */
  #framedFrom = 0;

  /** `floor`: every change after this revision is going to be appended. */
  constructor(floor: Revision) {
    this.#floor = floor;
  }

  /** Every event after this revision is here; what came at or before it may be missing. */
  get floor(): Revision {
    return this.#floor;
  }
  /** Position of the oldest event that is kept. */
  get start(): number {
    return this.#base + this.#head;
  }
  /** Position of the next event to come. */
  get end(): number {
    return this.#base + this.#events.length;
  }
  /** Bytes of the events' objects. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Every event after `revision` has been appended meanwhile: the history of a
   * fresh replica reaches back to before its snapshot.
   */
  lowerFloor(revision: Revision): void {
    if (revision < this.#floor) this.#floor = maxRevision(revision, this.#gap);
  }

  /** Drops history up to this revision. */
  raiseFloor(revision: Revision): void {
    this.trim((event) => event.revision <= revision);
    this.#floor = maxRevision(this.#floor, revision);
  }

  /** Something at this revision cannot be known (an old value is gone): what came before is useless. */
  cutAt(revision: Revision): void {
    this.#gap = maxRevision(this.#gap, revision);
  }

  append(event: HistoryEvent): void {
    event.entry.hold();
    event.previous?.hold();
    this.#events.push(event);
    this.#bytes += event.entry.byteLength;
  }

  /** The event at a position, which must lie in [start, end). */
  at(position: number): HistoryEvent {
    const event = this.#events[position - this.#base];
    if (event === undefined || position < this.start)
      throw new Error('history position is cut off');
    return event;
  }

  /** Position of the first event after the revision, which must be ≥ floor. */
  positionAfter(revision: Revision): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle] as HistoryEvent).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#base + low;
  }

  /** Cuts events off the front as long as `cut` says so, whole revisions at a time. */
  trim(cut: (event: HistoryEvent, bytesKept: number) => boolean): void {
    while (this.#head < this.#events.length) {
      const event = this.#events[this.#head] as HistoryEvent;
      if (event.revision > this.#floor && !cut(event, this.#bytes)) break;
      this.#floor = event.revision;
      this.#bytes -= event.entry.byteLength;
      this.#head++;
      event.entry.release();
      event.previous?.release();
    }
    // Moving the array costs its length, so it is done when half of it is gone.
    if (this.#head > 64 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#base += this.#head;
      this.#head = 0;
    }
  }

  /** Drops cached frames of events seen before `time`: only a reader that lags needs them again. */
  dropFramesBefore(time: number): void {
    let at = Math.max(this.#framedFrom, this.start);
    for (; at < this.end; at++) {
      const event = this.at(at);
      if (event.seenAt >= time) break;
      event.frames = undefined;
    }
    this.#framedFrom = at;
  }
}
