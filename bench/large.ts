import { Command } from 'commander';
import { openLoad } from './load/http2-client.ts';
import { percentile } from './load/measure.ts';
import { cpuMs, residentMiB } from './load/process.ts';
import { startWithStore } from './load/target.ts';
import { Bench } from './load/workloads.ts';
import { SilentWatcher } from './load/silent-watcher.ts';

/**
 * What large collections and many watchers cost one server: a list of 100,000
 * objects, 10,000 watches, a watcher that does not read, a quiet kind next to a
 * busy one. Figures, not tests.
 */
const options = new Command('bench/large')
  .option('--store <name>', 'embedded or etcd', 'embedded')
  .option('--objects <n>', 'objects in the large collection', '100000')
  .option('--watches <n>', 'open watches', '10000')
  .option('--http2', 'opens the watches over HTTP/2')
  .option('--writes <n>', 'writes that a watcher sleeps through', '20000')
  .option('--seconds <n>', 'time per row', '5')
  .parse()
  .opts<
    Record<'store' | 'objects' | 'watches' | 'writes' | 'seconds', string> & { http2?: boolean }
  >();

const target = await startWithStore(options.store);
const pid = target.pid ?? 0;
const emptyMiB = residentMiB(pid);
const objects = Number(options.objects);
const seconds = Number(options.seconds);
const bench = new Bench(target, { objects, seconds });

function report(row: string, figures: Record<string, number | string>): void {
  const told = Object.entries(figures).map(([name, value]) =>
    typeof value === 'number' ? `${name} ${value.toFixed(value < 10 ? 2 : 0)}` : `${name} ${value}`,
  );
  console.log(`${row}: ${told.join(', ')}`);
}

/** The server's clock of its event loop ticks so often; a delay contains one tick. */
const TICK_MS = 10;

/** Longest time for which the event loop was held since the last call, in milliseconds. */
async function longestHoldMs(): Promise<number> {
  const { text } = await bench.client.send('GET', '/metrics', undefined, 'text/plain', true);
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1];
  return Math.max(0, Number(seconds ?? NaN) * 1000 - TICK_MS);
}

await bench.fill();
report(`${objects} objects of 1.1 KB`, {
  'resident MiB': residentMiB(pid),
  'empty MiB': emptyMiB,
});

{
  await longestHoldMs();
  const before = cpuMs(pid);
  let peak = residentMiB(pid);
  const base = peak;
  const watch = setInterval(() => (peak = Math.max(peak, residentMiB(pid))), 5);
  const startedAt = performance.now();
  const { bytes } = await bench.client.send('GET', bench.collection);
  const elapsed = performance.now() - startedAt;
  clearInterval(watch);
  report(`list of ${objects}`, {
    MiB: bytes / 2 ** 20,
    ms: elapsed,
    'CPU ms': cpuMs(pid) - before,
    'longest hold of the loop ms': await longestHoldMs(),
    'memory above before MiB': peak - base,
  });
}

{
  const quiet = '/apis/node.cluster.io/v1/runtimeclasses';
  const writes = setInterval(() => void bench.create(bench.freshName(), 0), 10);
  const latencies: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  while (performance.now() < endsAt) {
    const sentAt = performance.now();
    await bench.get(quiet);
    latencies.push(performance.now() - sentAt);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  clearInterval(writes);
  report('list of a quiet kind during 100 writes a second of another', {
    'p50 ms': percentile(latencies, 0.5),
    'p99 ms': percentile(latencies, 0.99),
  });
}

{
  const path = `${bench.fresh}?watch=1&resourceVersion=0`;
  const base = residentMiB(pid);
  const silent = await SilentWatcher.open(target.endpoint, path);
  let peak = base;
  const writes = Number(options.writes);
  for (let i = 0; i < writes; i += 100) {
    await Promise.all(Array.from({ length: 100 }, () => bench.create(bench.freshName(), i)));
    peak = Math.max(peak, residentMiB(pid));
  }
  const last = bench.lastName();
  const startedAt = performance.now();
  const events = await silent.readUntil(last);
  report(`a watcher that slept through ${writes} writes`, {
    'events without a gap': events,
    'ms to catch up': performance.now() - startedAt,
    'memory above before, with the objects, MiB': peak - base,
  });
  silent.close();
}

{
  const count = Number(options.watches);
  const base = residentMiB(pid);
  const client = openLoad({ ...target.endpoint, http2: options.http2 }, count);
  const closers: (() => void)[] = [];
  let delivered = 0;
  const from = await bench.resourceVersion();
  const path = `${bench.fresh}?watch=1&resourceVersion=${from}`;
  const startedAt = performance.now();
  for (let i = 0; i < count; i += 100) {
    closers.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(100, count - i) }, () =>
          client.watch(path, () => {
            delivered++;
          }),
        ),
      )),
    );
  }
  const openedMs = performance.now() - startedAt;
  const open = residentMiB(pid) - base;
  await longestHoldMs();
  const before = cpuMs(pid);
  const sentAt = performance.now();
  const writes = 20;
  for (let i = 0; i < writes; i++) await bench.create(bench.freshName(), i);
  while (delivered < writes * count && performance.now() - sentAt < 120_000) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  report(`${count} open watches over HTTP/${options.http2 === true ? '2' : '1.1'}`, {
    'ms to open': openedMs,
    'KiB each': (open * 1024) / count,
    delivered: `${delivered} of ${writes * count}`,
    'CPU ms per event and watcher': (cpuMs(pid) - before) / (writes * count),
    'longest hold of the loop ms': await longestHoldMs(),
  });
  for (const close of closers) close();
  client.close();
}

bench.close();
await target.stop();
