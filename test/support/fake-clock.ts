import type { Clock } from '../../api/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #ms: number;
  readonly #started: number;
  readonly #timers = new Set<Timer>();

  constructor(startMs = Date.UTC(2024, 0, 1)) {
    this.#ms = startMs;
    this.#started = startMs;
  }

  now(): number {
    return this.#ms;
  }

  monotonic(): number {
    return this.#ms - this.#started;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#ms + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves time on, firing timers in order; lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#ms + ms;
    for (;;) {
      const due = [...this.#timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#ms = Math.max(this.#ms, due.at);
      due.callback();
      await settle();
    }
    this.#ms = end;
    await settle();
  }
}

/** Lets everything run that is ready to run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves time on in small steps until the promise has settled. */
export async function whileTimePasses<T>(clock: FakeClock, promise: Promise<T>): Promise<T> {
  const state = { pending: true };
  const done = (): void => void (state.pending = false);
  promise.then(done, done);
  await settle();
  while (state.pending) await clock.advance(10);
  return promise;
}
