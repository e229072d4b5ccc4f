/** For how long a peer has answered nothing. Times are those of `performance.now()`. */
export class Silence {
  #answeredAt = 0;
  #since: number | undefined;

  /** Something came of a stream, whichever. */
  broken(at: number): void {
    this.#answeredAt = at;
    this.#since = undefined;
  }

  /** What was asked then has got no answer in its time. */
  missed(askedAt: number): void {
    if (askedAt > this.#answeredAt) this.#since ??= askedAt;
  }

  /** 0 while no answer has been missed. */
  lastsMs(now: number): number {
    return this.#since === undefined ? 0 : now - this.#since;
  }
}
