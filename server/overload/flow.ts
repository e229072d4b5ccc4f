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
const READ_AHEAD = 32;
/** Connections that are read again for each request that begins: some of them have nothing to send. */
const WOKEN_PER_START = 2;

/** All requests of one user: the seats that they have, the ones that wait, and what they have used. */
export class Flow {
  readonly user: string;
  seats = 0;
  readonly waiting: Waiting[] = [];
  /** How many of `waiting` are still open: those given up stay until their turn comes. */
  open = 0;
  /**
   * Virtual time: where the next request of this user begins. It moves with
   * what the user's requests take, so who has taken least is served first.
   */
  tag = 0;
  /** What lets connections be read again that are resting. */
  readonly resting = new Set<() => void>();
  /** Place in the heap: what `tag` was when the flow was put there. */
  key = 0;
  inHeap = false;

  constructor(user: string) {
    this.user = user;
  }

  get isAhead(): boolean {
    return this.open >= READ_AHEAD;
  }

  /** One fewer waits: so there may be room for what connections have to say that rest. */
  wake(): void {
    let left = this.open === 0 ? Infinity : this.isAhead ? 0 : WOKEN_PER_START;
    for (const resume of this.resting) {
      if (left-- <= 0) return;
      this.resting.delete(resume);
      resume();
    }
  }

  /** The next one that still waits; forgets those that do not. */
  first(): Waiting | undefined {
    while (this.waiting[0]?.isOpen === false) this.waiting.shift();
    return this.waiting[0];
  }
}
