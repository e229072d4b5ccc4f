import type { Revision } from '../api/revision.ts';
import type { Entry } from './entry.ts';
import type { ReadonlyOrderedMap } from './ordered-map.ts';

/** Pages that are being read at the same time; the oldest pin goes first. */
const MAX_PINS = 256;
/** A client that has not asked for its next page for so long starts over or reads the store. */
const PIN_AGE_MS = 5 * 60_000;

interface Pin {
  readonly items: ReadonlyOrderedMap<Entry>;
  usedAt: number;
}

/**
 * States that a continue token or an exact read refers to. A pin costs the
 * leaves that have changed since, nothing when nothing has; without one the
 * state is rebuilt from the history or read from the store.
 */
export class PinnedSnapshots {
  readonly #pins = new Map<string, Pin>();

  get(prefix: string, revision: Revision, now: number): ReadonlyOrderedMap<Entry> | undefined {
    const key = pinKey(prefix, revision);
    const pin = this.#pins.get(key);
    if (pin === undefined) return undefined;
    this.#pins.delete(key);
    this.#pins.set(key, pin);
    pin.usedAt = now;
    return pin.items;
  }

  pin(prefix: string, revision: Revision, items: ReadonlyOrderedMap<Entry>, now: number): void {
    const known = pinKey(prefix, revision);
    // Deleted first: those that were used last stand last.
    this.#pins.delete(known);
    this.#pins.set(known, { items, usedAt: now });
    for (const [key, pin] of this.#pins) {
      if (this.#pins.size <= MAX_PINS && now - pin.usedAt <= PIN_AGE_MS) break;
      this.#pins.delete(key);
    }
  }

  clear(): void {
    this.#pins.clear();
  }
}

function pinKey(prefix: string, revision: Revision): string {
  return `${revision} ${prefix}`;
}
