import assert from 'node:assert/strict';
import type { Part } from './part.ts';

/** What a server's process takes while it is idle. */
export interface Footprint {
  /** Milliseconds of a clock that only goes on. */
  readonly at: number;
  readonly pid: string;
  readonly mib: number;
  readonly files: number;
}

/** Connections of clients that have just gone, and of the stack's own health checks. */
const SPARE_FILES = 16;
/** In a short run the heap still grows to the size at which it is cleared. */
const SHORT_GROWTH = 1.5;
const HOUR_MS = 3_600_000;
const MAX_MIB_PER_HOUR = 1;

export async function footprint(plinth: Part): Promise<Footprint> {
  const text = await plinth.execute([
    ...['sh', '-c'],
    'cut -d" " -f22 /proc/1/stat; grep VmRSS /proc/1/status; ls /proc/1/fd | wc -l',
  ]);
  const [started = '', rss = '', files = ''] = text.trim().split('\n');
  const mib = Math.round(Number(/\d+/.exec(rss)?.[0]) / 1024);
  return { at: performance.now(), pid: started, mib, files: Number(files) };
}

/**
 * Open files are flat; memory is bounded, and over hours it does not grow.
 *
 * @throws AssertionError
 */
export function assertSteady(name: string, samples: readonly Footprint[]): void {
  const [first] = samples;
  assert.ok(first !== undefined && samples.length > 1, `${name} was looked at`);
  for (const { pid, files } of samples) {
    assert.equal(pid, first.pid, `${name} is still the same process`);
    assert.ok(files <= first.files + SPARE_FILES, `${name}: ${files} files, ${first.files} before`);
  }
  const half = Math.ceil(samples.length / 2);
  const highest = (some: readonly Footprint[]): number => Math.max(...some.map(({ mib }) => mib));
  const [before, after] = [highest(samples.slice(0, half)), highest(samples.slice(half))];
  assert.ok(after <= before * SHORT_GROWTH, `${name}: ${after} MiB, ${before} MiB before`);
  const warm = samples.filter(({ at }) => at - first.at >= HOUR_MS);
  if ((warm.at(-1)?.at ?? 0) - (warm[0]?.at ?? 0) < HOUR_MS) return;
  const perHour = slope(warm.map(({ at, mib }) => [at / HOUR_MS, mib]));
  assert.ok(perHour < MAX_MIB_PER_HOUR, `${name} grows by ${perHour} MiB an hour`);
}

/** Of the line that lies nearest to the points (least squares). */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const covariance = mean(points.map(([x, y]) => (x - x0) * (y - y0)));
  return covariance / mean(points.map(([x]) => (x - x0) ** 2));
}
