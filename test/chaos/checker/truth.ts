import type { Content, Version } from './history.ts';

/** One step of the store's own history. */
export interface TruthEvent {
  readonly key: string;
  readonly revision: bigint;
  /** Undefined: the key was removed. */
  readonly content: Content | undefined;
}

/**
 * What really happened: the store's history as the store itself tells it,
 * without the server under test.
 */
export class Truth {
  readonly events: readonly TruthEvent[];
  /** Everything up to here is known. */
  readonly end: bigint;
  readonly #timelines = new Map<string, TruthEvent[]>();

  /** @throws Error when the history contradicts itself, which no server can be blamed for */
  constructor(events: readonly TruthEvent[], end: bigint) {
    this.events = events;
    this.end = end;
    let last = 0n;
    for (const event of events) {
      if (event.revision < last) throw new Error(`the truth goes back at ${event.revision}`);
      last = event.revision;
      const timeline = this.#timelines.get(event.key);
      if (timeline === undefined) this.#timelines.set(event.key, [event]);
      else if (timeline.at(-1)?.revision === event.revision) {
        throw new Error(`${event.key} changes twice at ${event.revision}`);
      } else timeline.push(event);
    }
  }

  get keys(): Iterable<string> {
    return this.#timelines.keys();
  }

  timeline(key: string): readonly TruthEvent[] {
    return this.#timelines.get(key) ?? [];
  }

  /** Number of the state that the key is in at a revision. */
  stateAt(key: string, revision: bigint): number {
    return upTo(this.timeline(key), revision);
  }

  /** Number of the state that the write at exactly this revision left; undefined if none did. */
  stateOf(key: string, revision: bigint): number | undefined {
    const number = this.stateAt(key, revision);
    return this.timeline(key)[number - 1]?.revision === revision ? number : undefined;
  }

  contentOf(key: string, state: number): Content | undefined {
    return this.timeline(key)[state - 1]?.content;
  }

  /** Everything that exists at a revision, by key. */
  snapshot(revision: bigint, color?: string): Map<string, Version> {
    const found = new Map<string, Version>();
    for (const [key, timeline] of this.#timelines) {
      const event = timeline[upTo(timeline, revision) - 1];
      if (event?.content === undefined) continue;
      if (color !== undefined && event.content.color !== color) continue;
      found.set(key, { key, revision: event.revision, ...event.content });
    }
    return found;
  }

  /** Events after one revision and up to another. */
  between(after: bigint, upToRevision: bigint): readonly TruthEvent[] {
    return this.events.slice(upTo(this.events, after), upTo(this.events, upToRevision));
  }
}

/** How many events there are up to and including a revision. */
function upTo(events: readonly TruthEvent[], revision: bigint): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events[middle]!.revision <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
