import type { StoreEvent, WatchBatch } from './interface.ts';

/** A queue this full asks its producer to stop. */
const MAX_EVENTS = 4_096;
const MAX_BYTES = 16 * 1024 * 1024;

type Result = IteratorResult<WatchBatch, undefined>;
interface Waiter {
  resolve(result: Result): void;
  reject(error: Error): void;
}

/**
 * Between a stream that delivers when it likes and a caller that pulls. What
 * has piled up is handed over as one batch: complete revisions put together are
 * complete revisions.
 */
export class BatchQueue {
  readonly #onRoom: () => void;
  readonly #waiters: Waiter[] = [];
  #batches: WatchBatch[] = [];
  #events = 0;
  #bytes = 0;
  #end: { error: Error | undefined } | undefined;

  /** `onRoom` is called when a queue that was full has been emptied. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
  }

  get full(): boolean {
    return this.#events >= MAX_EVENTS || this.#bytes >= MAX_BYTES;
  }

  push(batch: WatchBatch): void {
    if (this.#end !== undefined) return;
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve({ done: false, value: batch });
      return;
    }
    this.#batches.push(batch);
    this.#events += batch.events.length;
    for (const event of batch.events) this.#bytes += sizeOf(event);
  }

  /** What is queued is still handed over, then the error, then the end. Only the first call counts. */
  fail(error: Error): void {
    this.#finish(error);
  }

  /** The caller is done: nothing more is handed over. */
  close(): void {
    this.#batches = [];
    this.#finish(undefined);
  }

  next(): Promise<Result> {
    const queued = this.#take();
    if (queued !== undefined) return Promise.resolve({ done: false, value: queued });
    const end = this.#end;
    if (end === undefined) {
      return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
    }
    const { error } = end;
    end.error = undefined;
    return error === undefined
      ? Promise.resolve({ done: true, value: undefined })
      : Promise.reject(error);
  }

  #take(): WatchBatch | undefined {
    const [first, ...more] = this.#batches;
    if (first === undefined) return undefined;
    const wasFull = this.full;
    this.#batches = [];
    this.#events = 0;
    this.#bytes = 0;
    if (wasFull) this.#onRoom();
    const last = more.at(-1);
    if (last === undefined) return first;
    const events = first.events.concat(...more.map((batch) => batch.events));
    return { revision: last.revision, events };
  }

  #finish(error: Error | undefined): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    for (const waiter of this.#waiters.splice(0)) {
      const pending = this.#end.error;
      this.#end.error = undefined;
      if (pending === undefined) waiter.resolve({ done: true, value: undefined });
      else waiter.reject(pending);
    }
  }
}

function sizeOf(event: StoreEvent): number {
  const before = event.previous?.value.length ?? 0;
  return event.key.length + before + (event.type === 'put' ? event.value.length : 0);
}
