import { readFileSync, writeFileSync } from 'node:fs';
import { FIGURES, type Row, type Spread } from './rounds.ts';

/** A change of less than this share counts as noise, however close together the rounds are. */
const LEAST_CHANGE = 0.05;
const TITLES = { perSecond: 'ops/s', p50Ms: 'p50 ms', p99Ms: 'p99 ms', cpuMs: 'CPU ms/op' };

/** Keeps a run for a later {@link movedRows}. */
export function saveRun(file: string, rows: readonly Row[]): void {
  writeFileSync(file, `${JSON.stringify(rows, undefined, 2)}\n`);
}

/** @throws Error for a file that holds no saved run */
export function readRun(file: string): Row[] {
  const rows: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(rows)) throw new Error(`${file} is not a saved run`);
  return rows as Row[];
}

/**
 * A line for each figure that has moved beyond noise since a saved run: the
 * ranges of its rounds do not meet, and its medians differ by 5 % or more. Runs
 * of one round have no range, so each figure that differs by 5 % is named.
 */
export function movedRows(now: readonly Row[], saved: readonly Row[]): string[] {
  const before = new Map(saved.map((row) => [`${row.row}\t${row.server}`, row]));
  const lines: string[] = [];
  for (const row of now) {
    const old = before.get(`${row.row}\t${row.server}`);
    if (old === undefined) continue;
    for (const figure of FIGURES) {
      const [was, is] = [old.figures[figure], row.figures[figure]];
      if (was === undefined || is === undefined || !moved(was, is)) continue;
      const better = is.median < was.median === (figure !== 'perSecond');
      const share = ((is.median / was.median - 1) * 100).toFixed(0);
      lines.push(
        [
          better ? 'better' : 'WORSE',
          row.row,
          row.server,
          `${TITLES[figure]} ${digits(was.median)} to ${digits(is.median)} (${share} %)`,
        ].join('\t'),
      );
    }
  }
  return lines;
}

function moved(was: Spread, is: Spread): boolean {
  if (Math.abs(is.median - was.median) < LEAST_CHANGE * was.median) return false;
  return is.low > was.high || is.high < was.low;
}

function digits(value: number): string {
  return value.toPrecision(3);
}
