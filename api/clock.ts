import type { CancelSignal } from './cancel-signal.ts';

/** Time, injected everywhere so that tests run hours in milliseconds. */
export interface Clock {
  /** Wall clock in milliseconds since 1970: only for timestamps that users see. */
  now(): number;
  /** Monotonic milliseconds: for every duration, deadline and timeout. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function cancels. Pending timers keep no process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** A timer of Node counts no further; one that is asked to rings at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    let cancel = (): void => clearTimeout(timer);
    const goOn = (): void => void (cancel = systemClock.after(ms - MAX_TIMER_MS, callback));
    const timer = ms > MAX_TIMER_MS ? setTimeout(goOn, MAX_TIMER_MS) : setTimeout(callback, ms);
    timer.unref();
    return () => cancel();
  },
};

/** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, ms: number, signal?: CancelSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason ?? given());
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason ?? given());
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function given(): Error {
  return new Error('given up');
}
