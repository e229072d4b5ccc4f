import type { Page } from 'playwright-core';

/** A frame that people see missing, on a machine for which the yardstick takes its usual time. */
const DROPPED_MS = 100;
/** Work of always the same size, done now and then: how slow the machine is at this moment. */
const YARDSTICK_STEPS = 1_000_000;
const YARDSTICK_EVERY_MS = 500;
/** What the yardstick takes on a core of its own. */
const YARDSTICK_MS = 12;

const COUNT = `(() => {
  const state = (globalThis.frames_ = { passed: [], durations: [], stopped: false });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) state.durations.push(duration);
  }).observe({ type: 'long-animation-frame' });
  let last = performance.now();
  requestAnimationFrame(function next(now) {
    state.passed.push(now - last);
    last = now;
    if (!state.stopped) requestAnimationFrame(next);
  });
})()`;

const MEASURE = `(() => {
  const times = (globalThis.yardstick_ = []);
  let kept = 0;
  const measure = () => {
    const begin = performance.now();
    let sum = kept;
    for (let i = 0; i < ${YARDSTICK_STEPS}; i++) sum = (Math.imul(sum, 31) + i) | 0;
    kept = sum;
    times.push(performance.now() - begin);
    if (!frames_.stopped) setTimeout(measure, ${YARDSTICK_EVERY_MS});
  };
  measure();
})()`;

const TASKS = `(() => {
  const durations = (globalThis.tasks_ = []);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) durations.push(duration);
  }).observe({ type: 'longtask' });
})()`;

interface Counted {
  readonly passed: readonly number[];
  readonly durations: readonly number[];
}

interface Frames {
  readonly all: number;
  /** Those that came more than `limit` after the one before. */
  readonly dropped: number;
  /** Milliseconds. */
  readonly longest: number;
  /** Those that took more than `limit` to make, as the browser itself measures it. */
  readonly late: number;
  /** Milliseconds: 100, and more on a machine that is slow at the moment. */
  readonly limit: number;
}

/** Counts the frames of a page, and of one that shows nothing, while `work` goes on. */
export async function framesDuring(
  page: Page,
  still: Page,
  work: () => Promise<void>,
): Promise<readonly [Frames, Frames]> {
  for (const each of [page, still]) await each.evaluate(COUNT);
  const limit = DROPPED_MS * (await slownessDuring(still, work));
  return [await counted(page, limit), await counted(still, limit)];
}

/**
 * The longest task of a page during `work`, in milliseconds of a machine for which
 * the yardstick takes its usual time; 0: none took 50.
 */
export async function longestTaskDuring(
  page: Page,
  still: Page,
  work: () => Promise<void>,
): Promise<number> {
  await page.evaluate(TASKS);
  await still.evaluate(COUNT);
  const slowness = await slownessDuring(still, work);
  await still.evaluate('frames_.stopped = true');
  return Math.max(0, ...(await page.evaluate<number[]>('tasks_'))) / slowness;
}

/** How many times as long as usual work takes on the machine, 1 at least. */
async function slownessDuring(still: Page, work: () => Promise<void>): Promise<number> {
  await still.evaluate(MEASURE);
  await work();
  const times = await still.evaluate<number[]>('yardstick_');
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return Math.max(1, mean / YARDSTICK_MS);
}

async function counted(page: Page, limit: number): Promise<Frames> {
  const { passed, durations } = await page.evaluate<Counted>('((frames_.stopped = true), frames_)');
  const above = (times: readonly number[]): number => times.filter((time) => time > limit).length;
  return {
    all: passed.length,
    dropped: above(passed),
    longest: Math.max(0, ...passed),
    late: above(durations),
    limit,
  };
}
