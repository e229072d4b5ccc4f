/**
 * Which requests of one HTTP/2 connection are worked on. A client that opens
 * streams and resets them at once has no more work done for it than one that
 * waits (CVE-2023-44487): a request counts until its work has ended, not until
 * its stream has.
 */
export class ConnectionTurns {
  readonly #max: number;
  readonly #parked = new Map<object, () => void>();
  #working = 0;
  #rests = false;

  /** `max`: requests of the connection that are worked on at one time. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Begins now, or when others have ended. `begin` must not throw. */
  add(stream: object, begin: () => void): void {
    this.#parked.set(stream, begin);
    this.#start();
  }

  /** Its client has given it up: it need not begin. */
  drop(stream: object): void {
    this.#parked.delete(stream);
  }

  /** The work on a request that had begun has ended. */
  end(): void {
    this.#working--;
    this.#start();
  }

  /** No request begins until `until` calls back. */
  rest(until: (resume: () => void) => void): void {
    this.#rests = true;
    until(this.#resume);
  }

  /** One function for life: who ends rests knows a connection by it. */
  readonly #resume = (): void => {
    this.#rests = false;
    this.#start();
  };

  #start(): void {
    for (const [stream, begin] of this.#parked) {
      if (this.#rests || this.#working >= this.#max) return;
      this.#parked.delete(stream);
      this.#working++;
      begin();
    }
  }
}
