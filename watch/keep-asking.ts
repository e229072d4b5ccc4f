import type { Clock } from '../api/clock.ts';

const PERIOD_MS = 50;

/**
 * Asks now, and again and again until the returned function is called. A store
 * that is asked once may stay silent: etcd does not answer for a watch that is
 * still behind. What fails is asked again.
 */
export function keepAsking(ask: () => Promise<unknown>, clock: Clock): () => void {
  let cancel = (): void => undefined;
  let stopped = false;
  const again = (): void => {
    if (stopped) return;
    ask()
      .catch(() => undefined) // the watch itself reports what is wrong with the store
      .finally(() => (cancel = clock.after(PERIOD_MS, again)));
  };
  again();
  return () => {
    stopped = true;
    cancel();
  };
}

/** Keeps asking while it has users; all users share one timer. */
export class SharedAsking {
  readonly #begin: () => () => void;
  #wanted = 0;
  #stop = (): void => undefined;

  constructor(ask: () => Promise<unknown>, clock: Clock) {
    this.#begin = () => keepAsking(ask, clock);
  }

  /** The returned function, to be called once, ends it for this one. */
  enter(): () => void {
    if (this.#wanted++ === 0) this.#stop = this.#begin();
    return () => {
      if (--this.#wanted === 0) this.#stop();
    };
  }
}
