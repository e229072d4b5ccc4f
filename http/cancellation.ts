import type { CancelSignal } from '../api/cancel-signal.ts';

/**
 * Cancels the work on a request whose answer is no longer needed:
 * the client has gone, or the server has given the request up. The signal is
 * created when it is first asked for: most requests are answered before any
 * part has to wait, and a signal costs more than the rest of a request's
 * head.
 */
export class Cancellation implements CancelSignal {
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  readonly #listeners: ((reason: Error) => void)[] = [];

  /** Why the request was cancelled; undefined until then. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** {@link onAbort} as an AbortSignal has it. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#reason === undefined) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: (reason: Error) => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /**
   * Calls back with the reason, at once when there is one already. Costs less
   * than a signal. Returns what forgets the listener.
   */
  onAbort(listener: (reason: Error) => void): () => void {
    if (this.#reason !== undefined) {
      listener(this.#reason);
      return () => undefined;
    }
    this.#listeners.push(listener);
    return () => this.removeEventListener('abort', listener);
  }

  /** The first reason is the one that counts. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners.splice(0)) listener(reason);
  }
}
