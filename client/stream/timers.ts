/** Time, for code that waits. */
export interface Timers {
  /** Milliseconds, also of times in which the machine slept. */
  now(): number;
  /** Runs once, later. Returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
