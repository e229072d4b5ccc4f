import type { Page } from 'playwright-core';

/** A frame that people see missing. */
const DROPPED_MS = 100;

const COUNT = `(() => {
  const state = (globalThis.frames_ = { all: 0, dropped: 0, longest: 0, late: 0, stopped: false });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (duration > ${DROPPED_MS}) state.late += 1;
  }).observe({ type: 'long-animation-frame' });
  let last = performance.now();
  requestAnimationFrame(function next(now) {
    const passed = now - last;
    last = now;
    state.all += 1;
    if (passed > ${DROPPED_MS}) state.dropped += 1;
    state.longest = Math.max(state.longest, passed);
    if (!state.stopped) requestAnimationFrame(next);
  });
})()`;

interface Frames {
  readonly all: number;
  /** Those that came more than 100 ms after the one before. */
  readonly dropped: number;
  /** Milliseconds. */
  readonly longest: number;
  /** Frames that took more than 100 ms to make, as the browser itself measures it. */
  readonly late: number;
}

/** Counts the frames of several pages while `work` goes on. */
export async function framesDuring(
  pages: readonly Page[],
  work: () => Promise<void>,
): Promise<Frames[]> {
  for (const page of pages) await page.evaluate(COUNT);
  await work();
  return Promise.all(
    pages.map((page) => page.evaluate<Frames>('((frames_.stopped = true), frames_)')),
  );
}
