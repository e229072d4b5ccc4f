import { sleep, type Clock } from '../../api/clock.ts';
import { AUDIT_API_VERSION } from '../../api/naming.ts';
import type { AuditBackend } from './backend.ts';

/** Tries before a batch is given up. */
const MAX_TRIES = 4;
const BACKOFF_FACTOR = 2;
/** After the end of the server this is the time for what has not gone yet. */
const CLOSE_MS = 5_000;

export interface WebhookBackendOptions {
  /** Sends an EventList; rejects when it was not taken. */
  readonly post: (eventList: string) => Promise<void>;
  readonly maxBatch: number;
  readonly maxWaitMs: number;
  /** Events that wait to be sent; more are lost (and counted). */
  readonly maxQueued: number;
  readonly initialBackoffMs: number;
  readonly clock: Clock;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly onLost: (events: number) => void;
}

/**
 * Sends events in batches: when there are enough, or when the first one has
 * waited long enough. One batch at a time, in the order of the events; a batch
 * that is not taken after some tries is lost.
 */
export class WebhookBackend implements AuditBackend {
  readonly #options: WebhookBackendOptions;
  readonly #closing = new AbortController();
  #queued: string[] = [];
  #cancelWait: (() => void) | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: WebhookBackendOptions) {
    this.#options = options;
  }

  write(event: string): boolean {
    const { maxQueued, maxBatch, maxWaitMs, clock } = this.#options;
    if (this.#queued.length >= maxQueued) return false;
    this.#queued.push(event);
    if (this.#sending !== undefined) return true;
    if (this.#queued.length >= maxBatch) this.#send();
    else this.#cancelWait ??= clock.after(maxWaitMs, () => this.#send());
    return true;
  }

  async close(): Promise<void> {
    if (this.#sending === undefined) this.#send();
    const { clock } = this.#options;
    const cancel = clock.after(CLOSE_MS, () => this.#closing.abort(new Error('no more time')));
    await this.#sending;
    cancel();
  }

  #send(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    // While one batch was on its way the next may have become due.
    do {
      const batch = this.#queued.slice(0, this.#options.maxBatch);
      if (batch.length === 0) return;
      this.#queued = this.#queued.slice(batch.length);
      await this.#sendBatch(batch);
    } while (this.#queued.length > 0);
  }

  async #sendBatch(batch: readonly string[]): Promise<void> {
    const { post, clock, initialBackoffMs, onProblem, onLost } = this.#options;
    const head = `{"kind":"EventList","apiVersion":"${AUDIT_API_VERSION}","metadata":{},"items":[`;
    const text = `${head}${batch.join(',')}]}`;
    let backoffMs = initialBackoffMs;
    for (let tries = 1; ; tries++) {
      try {
        await post(text);
        return;
      } catch (error) {
        onProblem('the audit webhook did not take a batch of events', error);
      }
      if (tries === MAX_TRIES) break;
      try {
        await sleep(clock, backoffMs, this.#closing.signal);
      } catch {
        break;
      }
      backoffMs *= BACKOFF_FACTOR;
    }
    onLost(batch.length);
  }
}
