import type { Clock } from '../../api/clock.ts';
import { identityOf, type Occurrence } from './occurrence.ts';

/** Different Events that this server writes about one object in {@link WINDOW_MS}. */
export const MAX_EVENTS_PER_OBJECT = 10;
const WINDOW_MS = 3_600_000;
/** An Event that counts a series is written at most this often. */
export const SERIES_MS = 60_000;
/** Occurrences, and objects, that are remembered; the oldest are forgotten. */
export const MAX_REMEMBERED = 1_000;
/** A write that fails is repeated after this, up to {@link MAX_ATTEMPTS} times. */
const RETRY_MS = 5_000;
const MAX_ATTEMPTS = 3;

/** An occurrence that waits to be written. */
export interface Pending {
  readonly occurrence: Occurrence;
  /** How often it happened since the last write. */
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

interface Known extends Pending {
  count: number;
  lastAt: number;
  /** Monotonic: not written before. */
  dueAt: number;
  attempts: number;
}

/**
 * Takes what loops and admission have to tell, counts repetitions, and holds it
 * until a loop writes it. Recording does no input or output, and never fails:
 * beyond the bounds an occurrence is dropped.
 */
export class EventRecorder {
  readonly #clock: Clock;
  /** By identity; those that happened longest ago come first. */
  readonly #known = new Map<string, Known>();
  readonly #objects = new Map<string, { since: number; events: number }>();
  #wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(occurrence: Occurrence): void {
    const identity = identityOf(occurrence);
    let known = this.#known.get(identity);
    if (known === undefined) {
      if (!this.#admits(occurrence)) return;
      known = { occurrence, count: 0, lastAt: 0, dueAt: 0, attempts: 0 };
    } else this.#known.delete(identity);
    this.#known.set(identity, known);
    forgetOldest(this.#known);
    known.lastAt = this.#clock.now();
    if (known.count++ === 0) this.#wake();
  }

  /** `wake` is called when there is something new to write. */
  onWork(wake: () => void): () => void {
    this.#wake = wake;
    return () => (this.#wake = () => undefined);
  }

  /** What may be written now. */
  due(limit: number): readonly Pending[] {
    const now = this.#clock.monotonic();
    const due: Pending[] = [];
    for (const known of this.#known.values()) {
      if (due.length === limit) break;
      if (known.count > 0 && known.dueAt <= now) due.push(known);
    }
    return due;
  }

  /** Milliseconds until something may be written; Infinity: nothing waits. */
  nextIn(): number {
    let next = Infinity;
    for (const { count, dueAt } of this.#known.values()) {
      if (count > 0) next = Math.min(next, dueAt);
    }
    return Math.max(0, next - this.#clock.monotonic());
  }

  /** `count` repetitions have been written. */
  written({ occurrence }: Pending, count: number): void {
    const known = this.#known.get(identityOf(occurrence));
    if (known === undefined) return;
    known.count -= count;
    known.attempts = 0;
    known.dueAt = this.#clock.monotonic() + SERIES_MS;
  }

  /** It could not be written: it is tried again a few times, then dropped. */
  failed({ occurrence }: Pending): void {
    const known = this.#known.get(identityOf(occurrence));
    if (known === undefined) return;
    known.dueAt = this.#clock.monotonic() + RETRY_MS;
    if (++known.attempts < MAX_ATTEMPTS) return;
    known.count = 0;
    known.attempts = 0;
  }

  #admits({ regarding: { kind, namespace, name, uid } }: Occurrence): boolean {
    const key = [kind, namespace, name, uid].join('\0');
    const now = this.#clock.monotonic();
    const object = this.#objects.get(key);
    if (object === undefined || now - object.since >= WINDOW_MS) {
      this.#objects.delete(key);
      this.#objects.set(key, { since: now, events: 1 });
      forgetOldest(this.#objects);
      return true;
    }
    return ++object.events <= MAX_EVENTS_PER_OBJECT;
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
