import type { Entry } from './entry.ts';
import type { History, HistoryEvent } from './history.ts';
import type { Scope } from './scope.ts';

/** Events that are prepared together. */
const AHEAD_EVENTS = 100;

/**
 * Has events prepared that a stream is going to send: those that wait in the
 * history together, so that a burst of changes costs few conversions.
 */
export class LookAhead {
  readonly #scope: Scope;
  /** Positions before this one have been prepared. */
  #readyTo = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /**
   * What the event at a position waits for; undefined: it can be sent.
   *
   * @throws ApiError (as rejection) when this very event cannot be prepared
   */
  at(history: History, position: number): Promise<void> | undefined {
    if (this.#scope.prepare === undefined) return undefined;
    // what was prepared may have been forgotten since
    if (position < this.#readyTo) return this.prepare([history.at(position)]);
    const end = Math.min(history.end, position + AHEAD_EVENTS);
    const events: HistoryEvent[] = [];
    for (let i = position; i < end; i++) events.push(history.at(i));
    const preparation = this.prepare(events);
    if (preparation === undefined) {
      this.#readyTo = end;
      return undefined;
    }
    const [first] = events;
    return preparation.then(
      () => void (this.#readyTo = end),
      // Another one of them may have failed, before which this one has to be sent.
      async () => {
        if (first !== undefined) await this.prepare([first]);
        this.#readyTo = position + 1;
      },
    );
  }

  prepare(events: readonly HistoryEvent[]): Promise<void> | undefined {
    const { prepare, range } = this.#scope;
    if (prepare === undefined) return undefined;
    const entries: Entry[] = [];
    for (const { entry, previous } of events) {
      const { key } = entry;
      if (key < range.start || (range.end !== undefined && key >= range.end)) continue;
      entries.push(entry);
      if (previous !== undefined) entries.push(previous);
    }
    return prepare(entries);
  }
}
