import type { Clock } from '../api/clock.ts';
import type { Revision } from '../api/revision.ts';
import { cancelledError } from '../storage/errors.ts';

interface Waiter {
  readonly revision: Revision;
  readonly settle: (reached: boolean) => void;
  readonly fail: (error: Error) => void;
}

/** Those who wait until a revision is reached. Few at a time, so a plain set serves. */
export class RevisionWaiters {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True once `advance` reached the revision, false after `timeoutMs`. */
  wait(revision: Revision, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        this.#waiters.delete(waiter);
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        revision,
        settle: (reached) => {
          finish();
          resolve(reached);
        },
        fail: (error) => {
          finish();
          reject(error);
        },
      };
      const onAbort = (): void => waiter.fail(cancelledError(signal));
      const cancelTimer = this.#clock.after(timeoutMs, () => waiter.settle(false));
      if (signal?.aborted === true) {
        onAbort();
        return;
      }
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  advance(revision: Revision): void {
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.settle(true);
  }

  rejectAll(error: Error): void {
    for (const waiter of this.#waiters) waiter.fail(error);
  }
}
