/** One who waits for a seat. */
export interface Waiting {
  /** Takes the seats that it was given, and begins. */
  readonly start: () => void;
  readonly width: number;
  readonly flow: Flow;
  /** False when it has begun or was given up. */
  isOpen: boolean;
}

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
  /** Place in the heap: what `tag` was when the flow was put there. */
  key = 0;
  inHeap = false;

  constructor(user: string) {
    this.user = user;
  }

  /** The next one that still waits; forgets those that do not. */
  first(): Waiting | undefined {
    while (this.waiting[0]?.isOpen === false) this.waiting.shift();
    return this.waiting[0];
  }
}
