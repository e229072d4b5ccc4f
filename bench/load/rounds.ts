import type { Measurement } from './measure.ts';
import { KUBE_APISERVER } from './kube-apiserver.ts';
import type { Bench, Workload } from './workloads.ts';

/** What the table shows of a measurement. A figure that a row does not have is null in a file. */
export const FIGURES = ['perSecond', 'p50Ms', 'p99Ms', 'cpuMs'] as const;
type Figure = (typeof FIGURES)[number];

/** The median over the rounds, and the least and the most. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface Row {
  readonly row: string;
  readonly server: string;
  readonly figures: Readonly<Partial<Record<Figure, Spread>>>;
  readonly failures: number;
}

/** Runs every row on every server in turn, so many times; the order of the servers turns round each time. */
export async function runRounds(
  benches: readonly Bench[],
  workloads: readonly Workload[],
  rounds: number,
): Promise<Row[]> {
  const measured = new Map<string, Measurement[]>();
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? benches : [...benches].reverse();
    for (const workload of workloads) {
      for (const bench of order) {
        const key = keyOf(workload.name, bench.target.name);
        const before = measured.get(key) ?? [];
        measured.set(key, [...before, await workload.run(bench)]);
      }
    }
  }
  return workloads.flatMap(({ name: row }) =>
    benches.map(({ target }) => {
      const all = measured.get(keyOf(row, target.name)) ?? [];
      const failures = all.reduce((sum, one) => sum + one.failures, 0);
      return { row, server: target.name, figures: figuresOf(all), failures };
    }),
  );
}

function keyOf(row: string, server: string): string {
  return `${row}\t${server}`;
}

function figuresOf(all: readonly Measurement[]): Row['figures'] {
  const figures: Partial<Record<Figure, Spread>> = {};
  for (const figure of FIGURES) {
    const values = all.map((one) => one[figure]).sort((a, b) => a - b);
    const [low, high, median] = [values[0], values.at(-1), values[values.length >> 1]];
    if (low === undefined || high === undefined || median === undefined) continue;
    if (values.some(Number.isNaN)) continue;
    figures[figure] = { median, low, high };
  }
  return figures;
}

/** The table: a line for each row and server, columns by tabs; `±` is half of the spread over the rounds. */
export function tableOf(rows: readonly Row[]): string[] {
  const head = ['row', 'server', 'ops/s', 'p50 ms', 'p99 ms', 'server CPU ms/op'];
  return [
    [...head, 'kube-apiserver 1.36 CPU ms/op', 'failures'].join('\t'),
    ...rows.map(({ row, server, figures, failures }) =>
      [
        row,
        server,
        shown(figures.perSecond, 0),
        shown(figures.p50Ms, 2),
        shown(figures.p99Ms, 2),
        shown(figures.cpuMs, 4),
        KUBE_APISERVER[row] ?? '-',
        String(failures),
      ].join('\t'),
    ),
  ];
}

function shown(spread: Spread | undefined, digits: number): string {
  if (spread === undefined) return '-';
  const { median, low, high } = spread;
  const half = (high - low) / 2;
  return `${median.toFixed(digits)}${half > 0 ? ` ±${half.toFixed(digits)}` : ''}`;
}
