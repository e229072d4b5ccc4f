import type { CancelSignal } from '../../api/cancel-signal.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nextRevision, revisionOf, type Revision } from '../../api/revision.ts';
import { StoreError, cancelledError } from '../errors.ts';
import type { WatchBatch, WatchOptions } from '../interface.ts';
import type { LogReader } from './log-reader.ts';

type Result = IteratorResult<WatchBatch, undefined>;
const DONE: Result = { done: true, value: undefined };

/**
 * Follows the log as a cursor: between two calls of `next()` it is one number,
 * and the log itself is what is queued. A slow or stopped
 * reader costs other readers nothing.
 */
export class WatchCursor implements AsyncIterator<WatchBatch, undefined> {
  readonly #log: LogReader;
  readonly #prefix: string;
  readonly #withPrevious: boolean;
  readonly #signal: CancelSignal | undefined;
  readonly #onClosed: (cursor: WatchCursor) => void;
  readonly #onAbort = (): void => {
    this.fail(cancelledError(this.#signal));
  };
  #next: Revision;
  /** More of the log than was read last time is there already. */
  #more = false;
  #progressWanted = false;
  #ended = false;
  #error: StoreError | undefined;
  #wake: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    log: LogReader,
    { prefix, from, signal, previous = true }: WatchOptions,
    onClosed: (cursor: WatchCursor) => void,
  ) {
    this.#log = log;
    this.#prefix = prefix;
    this.#withPrevious = previous;
    this.#next = from > 0n ? from : revisionOf(1n);
    this.#signal = signal;
    this.#onClosed = onClosed;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  next(): Promise<Result> {
    // Calls that overlap get their batches one after the other.
    const result = this.#turn.then(() => this.#pull());
    this.#turn = result.catch(() => undefined);
    return result;
  }

  return(): Promise<Result> {
    this.#end();
    return Promise.resolve(DONE);
  }

  fail(error: StoreError): void {
    if (this.#ended) return;
    this.#error = error;
    this.#end();
  }

  /** There may be something new. */
  wake(): void {
    this.#wake?.();
  }

  requestProgress(): void {
    this.#progressWanted = true;
    this.wake();
  }

  async #pull(): Promise<Result> {
    while (!this.#ended) {
      const batch = this.#read();
      if (batch !== undefined) return { done: false, value: batch };
      await this.#pause();
    }
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error;
    return DONE;
  }

  #read(): WatchBatch | undefined {
    const part = this.#tryRead();
    if (this.#ended) return undefined;
    this.#more = part?.more === true;
    if (part !== undefined) this.#next = nextRevision(part.revision);
    const caughtUp = !this.#more;
    const tell = (part?.events.length ?? 0) > 0 || (caughtUp && this.#progressWanted);
    if (!tell) return undefined;
    if (caughtUp) this.#progressWanted = false;
    const revision = (this.#next - 1n) as Revision;
    return { revision, events: part?.events ?? [], checked: part?.checked === true };
  }

  #tryRead(): ReturnType<LogReader['read']> {
    try {
      return this.#log.read(this.#prefix, this.#next, this.#withPrevious);
    } catch (error) {
      const damaged = (): StoreError =>
        new StoreError('corrupt', 'the log cannot be read', { cause: error });
      this.fail(error instanceof StoreError ? error : damaged());
      return undefined;
    }
  }

  /** Until there is something new; only a turn of the event loop when more is there to be read. */
  async #pause(): Promise<void> {
    if (this.#ended) return;
    if (this.#more) {
      await nextTurn();
      return;
    }
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#onClosed(this);
    this.#wake?.();
  }
}
