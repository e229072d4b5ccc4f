import { cpuMsOf } from './process.ts';

export interface Measurement {
  readonly operations: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server for one operation, in milliseconds; NaN when its process is unknown. */
  readonly cpuMs: number;
  readonly failures: number;
}

interface Load {
  /** Operations under way at one time. */
  readonly concurrency: number;
  /** Stops after this, whatever comes first. */
  readonly seconds: number;
  readonly operations: number;
  /** Processes whose CPU time counts; none for a server that runs elsewhere. */
  readonly pids: readonly number[];
}

/** Runs an operation again and again and takes the server's CPU time meanwhile. */
export async function measure(
  { concurrency, seconds, operations, pids }: Load,
  operation: (i: number) => Promise<boolean>,
): Promise<Measurement> {
  const latencies: number[] = [];
  let failures = 0;
  let next = 0;
  const cpuBefore = cpuMsOf(pids);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const worker = async (): Promise<void> => {
    while (next < operations && performance.now() < endsAt) {
      const i = next++;
      const sentAt = performance.now();
      if (!(await operation(i))) failures++;
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const elapsed = (performance.now() - startedAt) / 1000;
  const used = cpuMsOf(pids) - cpuBefore;
  return {
    operations: latencies.length,
    perSecond: latencies.length / elapsed,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMs: used / latencies.length,
    failures,
  };
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN;
}
