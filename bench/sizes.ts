import { Command } from 'commander';
import { TestEtcd } from '../test/support/etcd.ts';
import { fillDirectory, fillEtcd } from './load/filled-store.ts';
import { measure } from './load/measure.ts';
import { cpuMs, residence, residentMiB, threadCpuMs } from './load/process.ts';
import { dataDirectory, startPlinth } from './load/target.ts';
import { Bench } from './load/workloads.ts';

/**
 * What each operation costs as the number of objects grows: one server for each
 * size, objects of 1.1 KB that are written straight into its store before it
 * starts. Figures, not tests.
 */
const options = new Command('bench/sizes')
  .option('--store <name>', 'embedded or etcd', 'embedded')
  .option('--sizes <list>', 'numbers of objects', '1000,10000,100000,1000000')
  .option('--operations <n>', 'operations of a row', '2000')
  .parse()
  .opts<Record<'store' | 'sizes' | 'operations', string>>();

const operations = Number(options.operations);
/** Room for a million objects and their past. */
const QUOTA_BYTES = 8 * 1024 ** 3;

interface Column {
  readonly objects: number;
  readonly rows: Map<string, string>;
}

/** A server that knows the kinds, and then one on so many objects. */
async function columnOf(objects: number): Promise<Column> {
  const rows = new Map<string, string>();
  const directory = dataDirectory();
  const etcd =
    options.store === 'etcd' ? await TestEtcd.start({ quotaBytes: QUOTA_BYTES }) : undefined;
  const args = etcd === undefined ? [] : ['--etcd-servers', etcd.url];
  const first = await startPlinth(options.store, args, directory.path);
  const maker = new Bench(first, { objects, seconds: 0 });
  await maker.prepare();
  maker.close();
  await first.stop();
  const kind = {
    prefix: `${first.group}/leases/`,
    count: objects,
    make: (i: number) => maker.stored(i),
  };
  const stored = await (etcd === undefined
    ? fillDirectory(directory.path, [kind])
    : fillEtcd(etcd.url, [kind]));
  const storedMiB = stored / 2 ** 20;
  const etcdBefore = etcd === undefined ? 0 : cpuMs(etcd.pid);
  const startedAt = performance.now();
  const target = await startPlinth(options.store, args, directory.path);
  const pid = target.pid ?? 0;
  rows.set('start, seconds', ((performance.now() - startedAt) / 1000).toFixed(2));
  rows.set('start, CPU seconds', (cpuMs(pid) / 1000).toFixed(2));
  rows.set('of it the thread of the server', (threadCpuMs(pid) / 1000).toFixed(2));
  if (etcd !== undefined) {
    rows.set("start, etcd's CPU seconds", ((cpuMs(etcd.pid) - etcdBefore) / 1000).toFixed(2));
  }
  const { anonymous, peak } = residence(pid);
  rows.set('memory of its own, MiB', anonymous.toFixed(0));
  rows.set('times what is stored', (anonymous / storedMiB).toFixed(2));
  rows.set('the most, with mapped files, MiB', peak.toFixed(0));
  const bench = new Bench(target, { objects, seconds: 600, operations });
  const few = { concurrency: 4, seconds: 600, operations: 20, pids: [pid] };
  const cost = async (row: string, load: typeof few, ask: (i: number) => Promise<boolean>) => {
    // What is asked for again gets an index.
    for (let i = 0; i < 5; i++) await ask(i);
    const { cpuMs: each, failures } = await measure(load, ask);
    rows.set(row, failures > 0 ? `${failures} failures` : each.toFixed(each < 1 ? 3 : 2));
  };
  const many = { ...few, concurrency: 16, operations };
  await cost('get', many, (i) => bench.get(bench.item(i)));
  await cost('get resourceVersion=0', many, (i) => bench.get(`${bench.item(i)}?resourceVersion=0`));
  await cost('create', many, (i) => bench.create(bench.freshName(), i));
  await cost('first page of 500', { ...few, operations: 200 }, () =>
    bench.get(`${bench.collection}?limit=500`),
  );
  const label = `${bench.collection}?labelSelector=bucket%3Db7&limit=500`;
  await cost('500 by label', { ...few, operations: 200 }, () => bench.get(label));
  await cost('count', many, () => bench.get(`${bench.collection}?count=true`));
  await listOfAll(bench, pid, rows);
  bench.close();
  await target.stop();
  await etcd?.dispose();
  directory.remove();
  return { objects, rows };
}

/** CPU for an object, and the most memory above that before. */
async function listOfAll(bench: Bench, pid: number, rows: Map<string, string>): Promise<void> {
  const before = cpuMs(pid);
  const base = residentMiB(pid);
  let peak = base;
  const watch = setInterval(() => (peak = Math.max(peak, residentMiB(pid))), 5);
  await bench.get(bench.collection);
  clearInterval(watch);
  const each = ((cpuMs(pid) - before) / bench.options.objects) * 1_000;
  rows.set('list of all, µs an object', each.toFixed(2));
  rows.set('list of all, MiB above before', (peak - base).toFixed(0));
}

const columns: Column[] = [];
for (const size of options.sizes.split(',')) columns.push(await columnOf(Number(size)));
console.log(`| CPU ms for an operation | ${columns.map(({ objects }) => objects).join(' | ')} |`);
console.log(`|---|${'---|'.repeat(columns.length)}`);
for (const row of columns[0]?.rows.keys() ?? []) {
  console.log(`| ${row} | ${columns.map(({ rows }) => rows.get(row)).join(' | ')} |`);
}
