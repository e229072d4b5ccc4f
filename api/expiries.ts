import type { Clock } from './clock.ts';

/** Something that ends after a time; in one list of such things at a time. */
export class Expiring {
  /** Called when its time is over. */
  readonly expire: () => void;
  /** Monotonic, in whole milliseconds: a fraction would be an object. */
  end = 0;
  list: Expiries | undefined = undefined;
  previous: Expiring | undefined = undefined;
  next: Expiring | undefined = undefined;

  constructor(expire: () => void) {
    this.expire = expire;
  }
}

/**
 * What has to end after the same time, each from when it was added: one timer
 * for all. They are linked with each other, and let go of each other when they
 * leave: the tables of a Map that changes all the time are kept by the ones
 * before them, with all that was in them, until the whole heap is collected.
 */
export class Expiries {
  readonly #clock: Clock;
  readonly #ms: number;
  #first: Expiring | undefined;
  #last: Expiring | undefined;
  #isArmed = false;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** An item that is already in this or another list starts over. */
  add(item: Expiring): void {
    item.list?.delete(item);
    item.list = this;
    item.end = Math.ceil(this.#clock.monotonic() + this.#ms);
    item.previous = this.#last;
    if (this.#last === undefined) this.#first = item;
    else this.#last.next = item;
    this.#last = item;
    if (!this.#isArmed) this.#arm(this.#ms);
  }

  /** One that has left already may be deleted again. */
  delete(item: Expiring): void {
    if (item.list !== this) return;
    const { previous, next } = item;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    item.list = undefined;
    item.previous = undefined;
    item.next = undefined;
  }

  /** Takes out the one that has been here longest. */
  shift(): Expiring | undefined {
    const first = this.#first;
    if (first !== undefined) this.delete(first);
    return first;
  }

  #arm(ms: number): void {
    this.#isArmed = true;
    this.#clock.after(ms, () => this.#ring());
  }

  #ring(): void {
    const now = this.#clock.monotonic();
    // A callback may add an item: it goes to the end of the list and needs no timer of its own.
    for (let first = this.#first; first !== undefined; first = this.#first) {
      if (first.end > now) {
        this.#arm(first.end - now);
        return;
      }
      this.delete(first);
      first.expire();
    }
    this.#isArmed = false;
  }
}
