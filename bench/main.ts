import { Command } from 'commander';
import { PLINTH_GROUP, startWithStore, type Target } from './load/target.ts';
import { Bench, workloadsOf } from './load/workloads.ts';
import { movedRows, readRun, saveRun } from './load/compare.ts';
import { runRounds, tableOf } from './load/rounds.ts';

/**
 * Drives one or more servers alternately, row by row, so that their figures can
 * be compared however the machine's speed drifts. See README.md in this folder.
 */
const options = new Command('bench')
  .option('--servers <list>', 'embedded, etcd, url', 'embedded,etcd')
  .option('--builds <list>', 'name=directory of each build to drive in turns', '')
  .option('--url <url>', 'server for "url"; any server of this API')
  .option('--token <token>', 'bearer token for --url')
  .option('--pid <pid>', 'process of --url, for its CPU time')
  .option('--group <group>', 'group of the Lease kind of --url', PLINTH_GROUP)
  .option('--rows <texts>', 'only rows whose name contains one of these', '')
  .option('--http2', 'drives each server over HTTP/2, too')
  .option('--objects <n>', 'objects in the collection', '10000')
  .option('--seconds <n>', 'time per row', '5')
  .option('--operations <n>', 'ends a row after so many operations instead', '0')
  .option('--repeat <n>', 'rounds over all rows', '3')
  .option('--save <file>', 'keeps the figures in a file')
  .option('--against <file>', 'names the rows that have moved beyond noise since that file')
  .parse()
  .opts<
    Record<
      'servers' | 'builds' | 'group' | 'rows' | 'objects' | 'seconds' | 'operations' | 'repeat',
      string
    > &
      Partial<Record<'url' | 'token' | 'pid' | 'save' | 'against', string>> & { http2?: boolean }
  >();

async function open(name: string): Promise<Target[]> {
  if (name === 'embedded' || name === 'etcd') {
    if (options.builds === '') return [await startWithStore(name)];
    const targets: Target[] = [];
    for (const one of options.builds.split(',')) {
      const [build = '', directory = ''] = one.split('=');
      const target = await startWithStore(name, [], {}, directory);
      targets.push({ ...target, name: `${name} ${build}` });
    }
    return targets;
  }
  if (options.url === undefined) throw new Error(`unknown server ${name}`);
  const pid = options.pid === undefined ? undefined : Number(options.pid);
  return [
    {
      ...{ name, pid, pids: pid === undefined ? [] : [pid], group: options.group },
      endpoint: { url: options.url, token: options.token },
      stop: () => Promise.resolve(),
    },
  ];
}

const benches: Bench[] = [];
/** Over HTTP/2 on servers of their own: each row creates what the other's lists would show. */
async function openBoth(name: string): Promise<Target[]> {
  const targets = await open(name);
  if (options.http2 !== true) return targets;
  const others = (await open(name)).map((target) => ({
    ...target,
    name: `${target.name} HTTP/2`,
    endpoint: { ...target.endpoint, http2: true },
  }));
  return [...targets, ...others];
}

for (const name of options.servers.split(',')) {
  for (const target of await openBoth(name)) {
    const size = {
      objects: Number(options.objects),
      seconds: Number(options.seconds),
      operations: Number(options.operations),
    };
    const bench = new Bench(target, size);
    benches.push(bench);
    await bench.fill();
    const resident = bench.residentMiB().toFixed(0);
    console.log(`${target.name}: ${options.objects} objects, ${resident} MiB resident`);
  }
}

const rows = await runRounds(benches, workloadsOf(options.rows), Number(options.repeat));
for (const line of tableOf(rows)) console.log(line);
for (const bench of benches) {
  console.log(`${bench.target.name}: ${bench.residentMiB().toFixed(0)} MiB resident at the end`);
  bench.close();
  await bench.target.stop();
}
if (options.save !== undefined) saveRun(options.save, rows);
if (options.against !== undefined) {
  const moved = movedRows(rows, readRun(options.against));
  console.log(moved.length === 0 ? 'no row has moved beyond noise' : moved.join('\n'));
}
