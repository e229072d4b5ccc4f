import { Command } from 'commander';
import type { Endpoint } from './load/client.ts';
import type { Measurement } from './load/measure.ts';
import { REFERENCE } from './load/reference.ts';
import { startWithStore, type Target } from './load/target.ts';
import { Bench, WORKLOADS } from './load/workloads.ts';

/**
 * Drives one or more servers alternately, row by row, so that their figures can
 * be compared however the machine's speed drifts. See README.md in this folder.
 */
const options = new Command('bench')
  .option('--servers <list>', 'embedded, etcd, url', 'embedded,etcd')
  .option('--url <url>', 'server for "url"; any server of this API')
  .option('--token <token>', 'bearer token for --url')
  .option('--pid <pid>', 'process of --url, for its CPU time')
  .option('--group <group>', 'group of the Lease kind', 'coordination.cluster.io')
  .option('--rows <text>', 'only rows whose name contains this', '')
  .option('--objects <n>', 'objects in the collection', '10000')
  .option('--seconds <n>', 'time per row', '5')
  .option('--repeat <n>', 'rounds over all rows', '1')
  .parse()
  .opts<
    Record<'servers' | 'group' | 'rows' | 'objects' | 'seconds' | 'repeat', string> &
      Partial<Record<'url' | 'token' | 'pid', string>>
  >();

async function open(name: string): Promise<Target> {
  if (name === 'embedded' || name === 'etcd') return startWithStore(name);
  if (options.url === undefined) throw new Error(`unknown server ${name}`);
  const endpoint: Endpoint = { url: options.url, token: options.token };
  const pid = options.pid === undefined ? undefined : Number(options.pid);
  return { name, endpoint, pid, stop: () => Promise.resolve() };
}

const benches: Bench[] = [];
for (const name of options.servers.split(',')) {
  const target = await open(name);
  const bench = new Bench(target, {
    group: options.group,
    objects: Number(options.objects),
    seconds: Number(options.seconds),
  });
  benches.push(bench);
  await bench.fill();
  console.log(
    `${name}: ${options.objects} objects, ${bench.residentMiB().toFixed(0)} MiB resident`,
  );
}

console.log(
  [
    'row',
    'server',
    'ops/s',
    'p50 ms',
    'p99 ms',
    'server CPU ms/op',
    'reference CPU ms/op',
    'failures',
  ].join('\t'),
);
for (let round = 0; round < Number(options.repeat); round++) {
  for (const workload of WORKLOADS) {
    if (!workload.name.includes(options.rows)) continue;
    for (const bench of benches) {
      const m = await workload.run(bench);
      console.log(line(workload.name, bench.target.name, m));
    }
  }
}
for (const bench of benches) {
  console.log(`${bench.target.name}: ${bench.residentMiB().toFixed(0)} MiB resident at the end`);
  bench.close();
  await bench.target.stop();
}

function line(row: string, server: string, m: Measurement): string {
  const number = (value: number, digits: number): string =>
    Number.isNaN(value) ? '-' : value.toFixed(digits);
  return [
    row,
    server,
    number(m.perSecond, 0),
    number(m.p50Ms, 2),
    number(m.p99Ms, 2),
    number(m.cpuMs, 4),
    REFERENCE[row] ?? '-',
    String(m.failures),
  ].join('\t');
}
