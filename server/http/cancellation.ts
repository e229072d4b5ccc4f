/**
 * Tells those who work for a request that nobody waits for its answer any more:
 * the client has gone, or the server has given the request up. Its signal is
 * made for the first one who asks: most requests are answered before anybody
 * has to wait for anything, and a signal costs more than the rest of a request's
 * head.
 */
export class Cancellation {
  #reason: Error | undefined;
  #controller: AbortController | undefined;

  /** Why nobody waits; undefined as long as somebody does. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason is the one that counts. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
