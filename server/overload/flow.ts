import type { Clock } from '../../api/clock.ts';
import { Expiries, type Expiring } from '../../api/expiries.ts';

/** One who waits for a seat. */
export interface Waiting {
  /** Takes the seats that it was given, and begins. */
  readonly start: () => void;
  readonly width: number;
  readonly flow: Flow;
  /** False when it has begun or was given up. */
  isOpen: boolean;
}

/** A user who has so many waiting is not read from: what else they send waits in the network. */
const READ_AHEAD = 8;
/** Connections that are read again for each request that begins: some of them have nothing to send. */
const WOKEN_PER_START = 2;
/** When none waits any more, the next connections are read again after this, should those before have had nothing to send. */
const WAKE_AGAIN_MS = 2;
/** So long a connection rests at most: it may be shared with others. */
const MAX_REST_MS = 1_000;

/** All requests of one user: the seats that they have, the ones that wait, and what they have used. */
export class Flow {
  readonly user: string;
  seats = 0;
  /** Seats of requests that wait for other servers: they are given back for that time. */
  away = 0;
  readonly waiting: Waiting[] = [];
  /** How many of `waiting` are still open: those given up stay until their turn comes. */
  open = 0;
  /**
   * Virtual time: where the next request of this user begins. It moves with
   * what the user's requests take, so who has taken least is served first.
   */
  tag = 0;
  /** Place in the heap: what `tag` was when the flow was put there. */
  key = 0;
  inHeap = false;
  readonly #clock: Clock;
  /** Connections that are not read from; most users never have one. */
  #resting: Expiries | undefined;
  #wakesAgain = false;

  constructor(user: string, clock: Clock) {
    this.user = user;
    this.#clock = clock;
  }

  /** Nothing of this user is under way. */
  get isIdle(): boolean {
    return this.seats === 0 && this.away === 0;
  }

  get isAhead(): boolean {
    return this.open >= READ_AHEAD;
  }

  /** Ends the rest when there is room for what that connection has to say. */
  rest(resting: Expiring): void {
    this.#resting ??= new Expiries(this.#clock, MAX_REST_MS);
    this.#resting.add(resting);
  }

  /** One fewer waits: so there may be room for what connections have to say that rest. */
  wake(): void {
    if (this.isAhead) return;
    // Never all of them: they might all have something to say, more than one user may have waiting.
    let left = this.open === 0 ? READ_AHEAD : WOKEN_PER_START;
    for (; left > 0; left--) {
      const resting = this.#resting?.shift();
      if (resting === undefined) return;
      resting.expire();
    }
    if (this.open === 0) this.#wakeAgainSoon();
  }

  #wakeAgainSoon(): void {
    if (this.#wakesAgain) return;
    this.#wakesAgain = true;
    this.#clock.after(WAKE_AGAIN_MS, () => {
      this.#wakesAgain = false;
      if (this.open === 0) this.wake();
    });
  }

  /** The next one that still waits; forgets those that do not. */
  first(): Waiting | undefined {
    while (this.waiting[0]?.isOpen === false) this.waiting.shift();
    return this.waiting[0];
  }
}
