import type { Clock } from '../../api/clock.ts';

/** Requests begin in one turn of the event loop as long as it is not older than this. */
const TURN_MS = 1.5;
/** Of those that waited so much work begins in one turn, in reads of an object, however quick it looks: much of it comes later. */
const MAX_STARTS = 4;
/** A round of the loop that was this long already lets only one of them begin. */
const ROUND_MS = 2.5;
/** In a turn that is full already so many still begin whose users have nothing else under way. */
const MAX_NEWCOMERS = 8;

/**
 * Spreads work over turns of the event loop. Sockets are read between turns;
 * if everything that has arrived were worked on at once, a request of a quiet
 * client would wait for a thousand of a noisy one before the server has even
 * read it. `startNext` begins one of those that wait and returns how much work it is,
 * or 0; `sawRound` is told how much of each round of the loop has passed since
 * a request came.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #startNext: () => number;
  readonly #sawRound: (ms: number) => void;
  #turnBegan: number | undefined;
  #armedAt = 0;
  #isArmed = false;
  #newcomers = 0;

  constructor(clock: Clock, startNext: () => number, sawRound: (ms: number) => void) {
    this.#clock = clock;
    this.#startNext = startNext;
    this.#sawRound = sawRound;
  }

  /** May what has just arrived begin in this turn? */
  hasTime(): boolean {
    if (this.#turnBegan !== undefined) return this.#clock.monotonic() - this.#turnBegan < TURN_MS;
    this.#turnBegan = this.#clock.monotonic();
    this.#arm(this.#turnBegan);
    return true;
  }

  /** May it begin though the turn is full, because its user has asked for nothing else? Counts it. */
  hasTimeForNewcomer(): boolean {
    return this.#newcomers++ < MAX_NEWCOMERS;
  }

  /** A request waits, or may go on now. */
  ask(): void {
    if (!this.#isArmed) this.#arm(this.#clock.monotonic());
  }

  #arm(now: number): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#armedAt = now;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isArmed = false;
    this.#newcomers = 0;
    const began = this.#clock.monotonic();
    const round = began - this.#armedAt;
    this.#sawRound(round);
    const turn = Math.min(TURN_MS, ROUND_MS - round);
    for (let starts = 0; ;) {
      const work = this.#startNext();
      if (work === 0) break;
      starts += work;
      if (starts < MAX_STARTS && this.#clock.monotonic() - began < turn) continue;
      // What arrives meanwhile has this turn's time, or waits like the others.
      this.#turnBegan = began;
      this.#arm(began);
      return;
    }
    this.#turnBegan = undefined;
  };
}
