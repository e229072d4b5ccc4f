import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { TestEtcd } from '../test/support/etcd.ts';
import { measure } from './load/measure.ts';
import { cpuMs, residence } from './load/process.ts';
import { dataDirectory, startPlinth, type Target } from './load/target.ts';
import { Bench } from './load/workloads.ts';

/**
 * What a second worker costs in memory and brings in throughput: the same
 * objects on one store, served by one worker and by several. The client shares
 * the machine, so the table also says how many operations a second of the busiest
 * process's CPU time carries: what clients on another machine could get out of
 * processes that have a processor each. On the embedded store one more process
 * owns the store. Figures, not tests.
 */
const options = new Command('bench/workers')
  .option('--store <kind>', 'etcd or embedded', 'etcd')
  .option('--objects <n>', 'objects in the registry', '100000')
  .option('--workers <list>', 'numbers of workers', '1,2')
  .option('--rounds <n>', 'rounds of each number of workers, in turns', '3')
  .option('--seconds <n>', 'time of one row', '4')
  .option('--warm <seconds>', 'time before each row that does not count', '6')
  .option('--settle <seconds>', 'time in which a server settles', '20')
  .parse()
  .opts<
    Record<'store' | 'objects' | 'workers' | 'rounds' | 'seconds' | 'warm' | 'settle', string>
  >();

const objects = Number(options.objects);
const seconds = Number(options.seconds);

type Row = readonly [string, number, (bench: Bench, i: number) => Promise<boolean>];
const ROWS: readonly Row[] = [
  ['get resourceVersion=0', 32, (b, i) => b.get(`${b.item(i)}?resourceVersion=0`)],
  ['get', 32, (b, i) => b.get(b.item(i))],
  ['list limit=500', 8, (b) => b.get(`${b.collection}?limit=500`)],
  ['create', 32, (b, i) => b.create(`made-${made++}`, i)],
];
/** Of all rounds together: the store keeps what they made. */
let made = 0;

/** The workers of a supervisor, or the server itself when it is alone. */
function workersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [pid] : children.split(' ').map(Number).filter(isNoOwner);
}

const isNoOwner = (pid: number): boolean =>
  !readFileSync(`/proc/${pid}/environ`, 'utf8').includes('PLINTH_STORE_OWNER=');

/** The process that owns the embedded store of several workers. */
function ownerOf(pid: number): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === ''
    ? undefined
    : children
        .split(' ')
        .map(Number)
        .find((one) => !isNoOwner(one));
}

/** Worker `number` shows its metrics, so it serves. */
async function served({ client }: Bench, number: number): Promise<void> {
  for (;;) {
    const { text } = await client.send('GET', '/metrics', undefined, 'text/plain', true);
    if (number === 0 || text.includes(`worker="${number}"`)) return;
    await pause(0.5);
  }
}

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const totalOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

const figures = new Map<string, number[]>();
const note = (row: string, figure: number): void =>
  void figures.set(row, [...(figures.get(row) ?? []), figure]);

/** One server with so many workers; figures are noted under its number of workers. */
async function round(dir: string, count: number): Promise<void> {
  const target = await start(dir, count);
  const bench = new Bench(target, { objects, seconds });
  try {
    await measureWorkers(bench, count);
  } finally {
    bench.close();
    await target.stop();
  }
}

async function measureWorkers(bench: Bench, count: number): Promise<void> {
  await served(bench, count - 1);
  await pause(Number(options.settle));
  const pid = bench.target.pid ?? 0;
  const workers = workersOf(pid);
  workers.forEach((one, i) => note(`${count}: MiB of worker ${i}`, residence(one).anonymous));
  if (count > 1) note(`${count}: MiB of the supervisor`, residence(pid).anonymous);
  const owner = ownerOf(pid);
  if (owner !== undefined) note(`${count}: MiB of the owner`, residence(owner).anonymous);
  const pids = owner === undefined ? workers : [...workers, owner];
  for (const [name, concurrency, ask] of ROWS) {
    // its own connections: those of an earlier row that are used again may all lead to one worker
    const row = new Bench(bench.target, { objects, seconds }, concurrency);
    // V8 compiles in each worker by itself, which has half of the requests to learn from
    const warm = Number(options.warm);
    await measure({ concurrency, seconds: warm, operations: Infinity, pids }, (i) => ask(row, i));
    const before = pids.map(cpuMs);
    const load = { concurrency, seconds, operations: Infinity, pids };
    const result = await measure(load, (i) => ask(row, i));
    row.close();
    if (result.failures > 0) throw new Error(`${name}: ${result.failures} failures`);
    const used = pids.map((one, i) => cpuMs(one) - (before[i] ?? 0));
    const busiest = Math.max(...used);
    note(`${count}: ${name}, a second`, result.perSecond);
    note(`${count}: ${name}, % of the CPU in the busiest`, (busiest / totalOf(used)) * 100);
    note(`${count}: ${name}, CPU ms`, result.cpuMs);
    note(`${count}: ${name}, for a CPU second of the busiest`, (result.operations / busiest) * 1e3);
    if (owner === undefined) continue;
    note(`${count}: ${name}, CPU ms of the owner`, (used.at(-1) ?? NaN) / result.operations);
  }
}

const start = (dir: string, count: number): Promise<Target> =>
  startPlinth(options.store, [...storeArgs, '--workers', String(count)], dir);

const etcd = options.store === 'etcd' ? await TestEtcd.start() : undefined;
const storeArgs = etcd === undefined ? [] : ['--etcd-servers', etcd.url];
const directory = dataDirectory();
const first = await start(directory.path, 1);
const filler = new Bench(first, { objects, seconds: 0 });
await filler.fill();
filler.close();
await first.stop();
for (let i = 0; i < Number(options.rounds); i++) {
  for (const count of options.workers.split(',')) {
    await round(directory.path, Number(count));
  }
}
await etcd?.dispose();
directory.remove();

const digits = (figure: number): string => figure.toFixed(figure < 10 ? 3 : 0);
console.log('| workers: row | median | from | to |\n|---|---|---|---|');
for (const [row, all] of figures) {
  const sorted = all.sort((a, b) => a - b);
  const shown = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)].map((n) => digits(n ?? NaN));
  console.log(`| ${row} | ${shown.join(' | ')} |`);
}
