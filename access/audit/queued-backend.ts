import type { Clock } from '../../api/clock.ts';
import type { AuditMode } from '../../config/audit-flags.ts';
import type { AuditBackend, AuditEvent } from './backend.ts';

/** Events that wait, in bytes: with bodies in them a few may be much. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/**
 * When the server stops, a delivery has this time; when one takes longer, all
 * that has not gone is lost. At the end everything that is left has it together.
 */
const CLOSE_MS = 5_000;

export interface QueuedBackendOptions {
  readonly mode: AuditMode;
  /** Brings events where they go, in order; rejects when they are lost. `signal` aborts when the time is over. */
  readonly deliver: (events: readonly string[], signal: AbortSignal) => Promise<void>;
  readonly maxBatch: number;
  readonly maxBatchBytes: number;
  /** Of mode `batch`: how long an event waits for others. */
  readonly maxWaitMs: number;
  /** Events that wait to go; more are lost (and counted). */
  readonly maxQueued: number;
  /** Longer events lose their objects; undefined: none does. */
  readonly maxEventBytes: number | undefined;
  readonly clock: Clock;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly onLost: (events: number) => void;
}

interface Queued {
  readonly text: string;
  readonly bytes: number;
  /** Of a request that waits. */
  readonly settle: ((isKept: boolean) => void) | undefined;
}

/**
 * Delivers events in batches, one batch at a time, in the order of the events.
 * In mode `batch` that happens when there are enough, or when the first one has
 * waited long enough; in the others at once, together with what has come while
 * the batch before was on its way.
 */
export class QueuedBackend implements AuditBackend {
  readonly #options: QueuedBackendOptions;
  #isHurried = false;
  #isOver = false;
  /** Of the delivery under way. */
  #current: AbortController | undefined;
  #queued: Queued[] = [];
  #queuedBytes = 0;
  #cancelWait: (() => void) | undefined;
  #delivering: Promise<void> | undefined;

  constructor(options: QueuedBackendOptions) {
    this.#options = options;
  }

  write(event: AuditEvent): true | Promise<boolean> {
    const { mode, maxQueued, maxEventBytes, onLost, onProblem } = this.#options;
    const text = maxEventBytes === undefined ? event.text : fitted(event, maxEventBytes);
    if (text === undefined) {
      onProblem('an audit event is too large even without objects', undefined);
      onLost(1);
      return true;
    }
    const bytes = Buffer.byteLength(text);
    if (this.#queued.length >= maxQueued || this.#queuedBytes + bytes > MAX_QUEUED_BYTES) {
      onLost(1);
      return mode === 'blocking-strict' ? Promise.resolve(false) : true;
    }
    if (mode === 'batch') {
      this.#push({ text, bytes, settle: undefined });
      return true;
    }
    const isStrict = mode === 'blocking-strict';
    return new Promise((resolve) => {
      this.#push({ text, bytes, settle: (isKept) => resolve(isKept || !isStrict) });
    });
  }

  hurry(): void {
    this.#isHurried = true;
    if (this.#current !== undefined) this.#limit(this.#current);
  }

  async close(): Promise<void> {
    const { clock } = this.#options;
    this.hurry();
    const cancel = clock.after(CLOSE_MS, () => this.#giveUp());
    while (this.#queued.length > 0 || this.#delivering !== undefined) {
      if (this.#delivering === undefined) this.#start();
      await this.#delivering;
    }
    cancel();
  }

  #push(queued: Queued): void {
    const { mode, maxBatch, maxWaitMs, clock } = this.#options;
    this.#queued.push(queued);
    this.#queuedBytes += queued.bytes;
    if (this.#delivering !== undefined) return;
    if (mode !== 'batch' || this.#queued.length >= maxBatch) this.#start();
    else this.#cancelWait ??= clock.after(maxWaitMs, () => this.#start());
  }

  #start(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#delivering = this.#deliverAll();
  }

  async #deliverAll(): Promise<void> {
    // Events of this turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      const isKept = await this.#deliver(batch);
      for (const { settle } of batch) settle?.(isKept);
    }
    // In the same turn in which the queue was empty: a later event starts a new delivery.
    this.#delivering = undefined;
  }

  #take(): Queued[] {
    const { maxBatch, maxBatchBytes } = this.#options;
    let count = 0;
    let bytes = 0;
    for (const queued of this.#queued) {
      if (count >= maxBatch || (count > 0 && bytes + queued.bytes > maxBatchBytes)) break;
      count++;
      bytes += queued.bytes;
    }
    this.#queuedBytes -= bytes;
    return this.#queued.splice(0, count);
  }

  async #deliver(batch: readonly Queued[]): Promise<boolean> {
    const { deliver, onProblem, onLost } = this.#options;
    const current = new AbortController();
    if (this.#isOver) current.abort(noTime());
    this.#current = current;
    const cancel = this.#isHurried ? this.#limit(current) : undefined;
    try {
      const texts = batch.map(({ text }) => text);
      // a disk that hangs takes no notice of signals
      await Promise.race([deliver(texts, current.signal), aborted(current.signal)]);
      return true;
    } catch (error) {
      onProblem(`${batch.length} audit events are lost`, error);
      onLost(batch.length);
      return false;
    } finally {
      cancel?.();
      this.#current = undefined;
    }
  }

  /** One that takes too long then is the last one: what comes later would take as long. */
  #limit(delivery: AbortController): () => void {
    return this.#options.clock.after(CLOSE_MS, () => {
      if (this.#current === delivery) this.#giveUp();
    });
  }

  #giveUp(): void {
    this.#isOver = true;
    this.#current?.abort(noTime());
  }
}

const noTime = (): Error => new Error('no more time');

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** The form of an event that fits; undefined when none does. */
function fitted({ text, shortened }: AuditEvent, maxBytes: number): string | undefined {
  return [text, shortened].find((form) => Buffer.byteLength(form) <= maxBytes);
}
