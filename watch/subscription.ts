import type { ApiError } from '../api/api-error.ts';
import { Turn } from '../api/turn.ts';
import { NO_REVISION, type Revision } from '../api/revision.ts';
import { failureOf } from './failures.ts';
import { errorFrame, stateFrame } from './frames.ts';
import type { HistoryEvent } from './history.ts';
import { LookAhead } from './look-ahead.ts';
import { narrowed } from './narrowed.ts';
import { Outlet } from './outlet.ts';
import { selectedFrame } from './selected-frame.ts';
import type { ScopeRights } from './rights.ts';
import { sendRightsFrames } from './rights-frames.ts';
import type { Snapshot } from './snapshot.ts';
import { StateWriter } from './state-writer.ts';
import type { SubscriptionParts, SubscriptionStart } from './subscription-parts.ts';

/** Events that a stream passes before others have their turn. */
const EVENTS_PER_TURN = 256;
/** A stream that reads the store's history and has no room for so long lets others read it. */
const PAST_PATIENCE_MS = 1_000;

/**
 * A watcher: a cursor over the log, not a queue. It remembers the last revision
 * it has passed and asks the history for what follows; when its sink is full it
 * stops, and goes on from there when the sink drains. A slow reader costs one
 * number and does not delay others. It receives 410 only when the history it
 * needs is gone from memory and from the store.
 */
export class Subscription {
  readonly #parts: SubscriptionParts;
  readonly #outlet: Outlet;
  readonly #lookAhead: LookAhead;
  /** Everything up to this revision has been passed. */
  #revision: Revision = NO_REVISION;
  /** Events of the revision after #revision that have been sent already; all of one transaction share it. */
  #sentOfNext = 0;
  /** Position in the collection's history; undefined while the stream reads elsewhere. */
  #position: number | undefined;
  #busy = false;
  /** Goes on. */
  #open = true;
  #ended = false;
  #finishing = false;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
    this.#outlet = new Outlet(parts.sink, parts.clock);
    this.#lookAhead = new LookAhead(parts.scope);
  }

  /** Begins to send; to be called once. */
  start(start: SubscriptionStart): void {
    const { broadcaster, schedule } = this.#parts;
    this.#revision = start.from === 'state' ? start.snapshot.revision : start.revision;
    broadcaster.add(this);
    schedule.start({
      bookmark: () => this.#bookmark(),
      timeout: () => this.close(),
    });
    this.#run(start).catch((error: unknown) => this.#fail(error));
  }

  /** The sink has room again. */
  resume(): void {
    this.#outlet.resume();
    this.pump();
  }

  /** Ends the stream cleanly: the client may go on from the last revision it has seen. */
  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#open = false;
    this.#parts.broadcaster.remove(this);
    this.#parts.schedule.stop();
    this.#parts.onClose();
    this.#outlet.end();
  }

  /** Sends nothing more, and waits to be ended. */
  halt(): void {
    this.#open = false;
  }

  /** Ends the stream cleanly once everything that has happened by now has been sent. */
  finish(): void {
    this.#finishing = true;
    this.#parts.broadcaster.wake();
  }

  /** Ends the stream with an ERROR frame. */
  closeWithError(error: ApiError): void {
    if (this.#ended) return;
    const { encoder } = this.#parts;
    this.#outlet.write(encoder.error?.(error.status) ?? errorFrame(error.status));
    this.close();
  }

  /** Sends events from memory until the sink is full or there are no more. */
  pump(): void {
    try {
      this.#pump();
    } catch (error) {
      // an event that one stream cannot show must not affect the others
      this.#fail(error);
    }
  }

  #pump(): void {
    let passed = 0;
    const { rights, isCostly } = this.#parts.scope;
    const turn = isCostly === true ? new Turn(this.#parts.clock, 1) : undefined;
    while (this.#open && !this.#outlet.full && !this.#busy && this.#position !== undefined) {
      const { history } = this.#parts.collection;
      if (this.#position < history.start) {
        this.#position = undefined;
        this.#catchUp().catch((error: unknown) => this.#fail(error));
        return;
      }
      // not within a transaction
      if (rights?.rights.isStale === true && this.#sentOfNext === 0) {
        this.#goOnAfter(this.#followRights(rights));
        return;
      }
      if (this.#position === history.end) {
        if (this.#finishing) this.close();
        return;
      }
      if (passed++ === EVENTS_PER_TURN || turn?.over() === true) {
        this.#goOnAfter(new Turn(this.#parts.clock).next());
        return;
      }
      const event = history.at(this.#position);
      const preparation = this.#lookAhead.at(history, this.#position);
      if (preparation !== undefined) {
        this.#goOnAfter(preparation);
        return;
      }
      this.#position++;
      if (event.revision <= this.#revision) continue;
      const frame = this.#frameOf(event);
      if (frame instanceof Promise) {
        this.#sendLater(frame, event.revision);
        return;
      }
      if (frame !== undefined) this.#outlet.write(frame);
      this.#passed(event.revision);
    }
  }

  async #run(start: SubscriptionStart): Promise<void> {
    if (start.from === 'state') {
      await this.#sendState(start.snapshot);
      if (start.endBookmark && this.#open) {
        this.#outlet.write(this.#parts.encoder.bookmark(start.snapshot.revision, true));
      }
    }
    await this.#catchUp();
  }

  /** The objects of the state as ADDED frames, in slabs, with back-pressure. */
  async #sendState(snapshot: Snapshot): Promise<void> {
    const { encoder, scope } = this.#parts;
    // Each step may take long: objects are large, and selectors and tables parse them.
    const turn = new Turn(this.#parts.clock, 1);
    const writer = new StateWriter(this.#outlet);
    const { chunks, matches } = await narrowed(snapshot, scope.range, scope);
    for await (const entries of chunks) {
      const preparation = scope.prepare?.(entries);
      if (preparation !== undefined) await preparation;
      for (const entry of entries) {
        if (turn.over()) {
          await turn.next();
          if (!this.#open) return;
        }
        if (entry.corrupt) continue;
        // it may have been forgotten since
        const again = scope.prepare?.([entry]);
        if (again !== undefined) await again;
        if (!matches(entry)) continue;
        const made = stateFrame(encoder, entry);
        const frame = made instanceof Promise ? await made : made;
        if (writer.add(frame) && !(await this.#outlet.room())) return;
      }
    }
    writer.flush();
  }

  /** Reaches the history in memory, through the store's own when memory does not go back so far. */
  async #catchUp(): Promise<void> {
    const { collection } = this.#parts;
    while (this.#open && this.#revision < collection.history.floor) {
      const isThrough = await this.#readPast();
      if (!(await this.#outlet.room())) return;
      // The store had nothing more up to the history's floor.
      if (isThrough && this.#revision < collection.history.floor) {
        this.#revision = collection.history.floor;
      }
    }
    if (!this.#open) return;
    this.#position = collection.history.positionAfter(this.#revision);
    this.pump();
  }

  /** False when the sink is full; the stream continues from its position when the sink drains. */
  async #readPast(): Promise<boolean> {
    let skip = this.#sentOfNext;
    let reading = this.#revision;
    for await (const { event } of this.#parts.past(this.#revision)) {
      if (event.revision !== reading) this.#pass(reading);
      reading = event.revision;
      if (skip-- > 0) continue;
      const preparation = this.#lookAhead.prepare([event]);
      if (preparation !== undefined) await preparation;
      const made = this.#frameOf(event);
      const frame = made instanceof Promise ? await made : made;
      if (frame !== undefined) this.#outlet.write(frame);
      this.#sentOfNext++;
      if (!(await this.#outlet.room(PAST_PATIENCE_MS))) return false;
    }
    this.#pass(reading);
    return true;
  }

  /** Everything up to the revision has been passed. */
  #pass(revision: Revision): void {
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#sentOfNext = 0;
  }

  #followRights(rights: ScopeRights): Promise<void> {
    const revision = this.#revision;
    const items = this.#parts.collection.itemsAt(revision);
    return sendRightsFrames(rights, { ...this.#parts, items, revision }, this.#outlet);
  }

  #frameOf(event: HistoryEvent): Buffer | Promise<Buffer> | undefined {
    return selectedFrame(this.#parts.encoder, this.#parts.scope, event);
  }

  #goOnAfter(preparation: Promise<void>): void {
    this.#busy = true;
    preparation
      .then(() => {
        this.#busy = false;
        this.pump();
      })
      .catch((error: unknown) => this.#fail(error));
  }

  #sendLater(frame: Promise<Buffer>, revision: Revision): void {
    this.#busy = true;
    frame
      .then((bytes) => {
        this.#busy = false;
        if (!this.#open) return;
        this.#outlet.write(bytes);
        this.#passed(revision);
        this.pump();
      })
      .catch((error: unknown) => this.#fail(error));
  }

  /**
   * A revision is passed only when its last event is: events of one transaction
   * share it, and a stream that is resumed from it must not miss the second.
   */
  #passed(revision: Revision): void {
    const { history } = this.#parts.collection;
    const position = this.#position;
    if (position === undefined) return;
    if (position < history.end && history.at(position).revision === revision) {
      this.#sentOfNext++;
      return;
    }
    this.#pass(revision);
  }

  /** Only when nothing is left to send: a bookmark never overtakes an event. */
  #bookmark(): void {
    const { collection, encoder, present } = this.#parts;
    if (!this.#open || this.#outlet.full || this.#busy || this.#position === undefined) return;
    this.pump();
    // The last event may be one that is still being prepared.
    if (this.#isBusy() || this.#position !== collection.history.end) return;
    const revision = present();
    // A stream opened at a revision of the future has nothing to tell yet.
    if (revision >= this.#revision) this.#outlet.write(encoder.bookmark(revision, false));
  }

  #isBusy(): boolean {
    return this.#busy;
  }

  #fail(error: unknown): void {
    if (!this.#open) return;
    this.closeWithError(failureOf(error, this.#revision, this.#parts.present()));
  }
}
