import { Command } from 'commander';
import { PLINTH_GROUP, startWithStore, type Target } from './load/target.ts';
import { Bench, workloadsOf } from './load/workloads.ts';
import { runRounds, tableOf } from './load/rounds.ts';
import { saveAndCompare, sizeOf, withRunOptions, type RunOptions } from './load/run-options.ts';

/**
 * Drives one or more servers alternately, row by row, so that their figures can
 * be compared however the machine's speed drifts. See README.md in this folder.
 */
const options = withRunOptions(new Command('bench'))
  .option('--servers <list>', 'embedded, etcd, url', 'embedded,etcd')
  .option('--builds <list>', 'name=directory of each build to drive in turns', '')
  .option('--url <url>', 'server for "url"; any server of this API')
  .option('--token <token>', 'bearer token for --url')
  .option('--pid <pid>', 'process of --url, for its CPU time')
  .option('--group <group>', 'group of the Lease kind of --url', PLINTH_GROUP)
  .option('--http2', 'drives each server over HTTP/2, too')
  .parse()
  .opts<
    RunOptions &
      Record<'servers' | 'builds' | 'group', string> &
      Partial<Record<'url' | 'token' | 'pid', string>> & { http2?: boolean }
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
    const bench = new Bench(target, sizeOf(options));
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
saveAndCompare(rows, options);
