import { Command } from 'commander';
import { TestEtcd } from '../test/support/etcd.ts';
import type { Load } from './load/client.ts';
import { cpuMs, residence } from './load/process.ts';
import { dataDirectory, startPlinth, type Target } from './load/target.ts';
import { Bench, workloadsOf } from './load/workloads.ts';

/**
 * What objects cost in memory: a server without any, the one that wrote them
 * all and was driven by all rows, and one that starts cold on them. Figures, not tests.
 */
const options = new Command('bench/memory')
  .option('--store <name>', 'embedded or etcd', 'embedded')
  .option('--objects <n>', 'objects in the registry', '100000')
  .option('--rows <seconds>', 'drives each row of the bench so long once they are written', '0')
  .option('--build <directory>', 'the build to measure', 'dist')
  .option('--starts <n>', 'cold starts', '1')
  .option('--settle <seconds>', 'time in which a server settles', '60')
  .option('--updates <n>', 'changes of objects after the last start, then a third look', '0')
  .parse()
  .opts<Record<'store' | 'objects' | 'rows' | 'build' | 'starts' | 'settle' | 'updates', string>>();

const objects = Number(options.objects);
const etcd = options.store === 'etcd' ? await TestEtcd.start() : undefined;
const directory = dataDirectory();

/** One look at the server: what the system says of it, and what its own metrics say. */
interface Look {
  readonly anonymous: number;
  readonly text: string;
}

async function look(client: Load, pid: number): Promise<Look> {
  // Before its metrics are asked for: the answer costs memory, too.
  const { anonymous, file, peak } = residence(pid);
  const { text } = await client.send('GET', '/metrics', undefined, 'text/plain', true);
  const mib = (name: string): string => {
    const value = new RegExp(`^${name}(?:{[^}]*})? (\\S+)`, 'm').exec(text)?.[1];
    return (Number(value) / 2 ** 20).toFixed(0);
  };
  return {
    anonymous,
    text: [
      `anonymous ${anonymous.toFixed(0)}`,
      `file ${file.toFixed(0)}`,
      `peak ${peak.toFixed(0)}`,
      `heap used ${mib('nodejs_heap_size_used_bytes')}`,
      `heap ${mib('nodejs_heap_size_total_bytes')}`,
      `external ${mib('nodejs_external_memory_bytes')}`,
    ].join(', '),
  };
}

/** A server just after its start, or one that has had time to settle: V8 gives memory back to the system late. */
type Phase = 'ready' | 'settled';

interface Running {
  readonly target: Target;
  readonly bench: Bench;
  readonly pid: number;
}

async function start(): Promise<Running> {
  const args = etcd === undefined ? [] : ['--etcd-servers', etcd.url];
  const target = await startPlinth(options.store, args, directory.path, options.build);
  const bench = new Bench(target, { objects, seconds: Number(options.rows) });
  return { target, bench, pid: target.pid ?? 0 };
}

async function stop({ target, bench }: Running): Promise<void> {
  bench.close();
  await target.stop();
}

const settle = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Number(options.settle) * 1000));

/** Bytes of all objects as they are served: as stored, with their resourceVersion. */
async function servedBytes({ client, collection }: Bench): Promise<number> {
  let bytes = 0;
  for (let next = ''; ;) {
    const path = `${collection}?limit=500${next}`;
    const answer = await client.send('GET', path, undefined, 'application/json', true);
    bytes += answer.bytes;
    const { metadata } = JSON.parse(answer.text) as { metadata: { continue?: string } };
    if (metadata.continue === undefined) return bytes;
    next = `&continue=${encodeURIComponent(metadata.continue)}`;
  }
}

// The empty server is started twice: the first start makes what every installation has.
await stop(await start());
const empty = await start();
const before: Record<Phase, number> = { ready: NaN, settled: NaN };
for (const phase of ['ready', 'settled'] as const) {
  if (phase === 'settled') await settle();
  const { anonymous, text } = await look(empty.bench.client, empty.pid);
  before[phase] = anonymous;
  console.log(`empty, ${phase}, MiB: ${text}`);
}

await empty.bench.fill();
const stored = (await servedBytes(empty.bench)) / 2 ** 20;
const perObject = (MiB: number): string =>
  `${((MiB * 2 ** 20) / objects).toFixed(0)} bytes an object, ${(MiB / stored).toFixed(2)} times what is stored`;
console.log(`${objects} objects, ${stored.toFixed(0)} MiB stored, ${perObject(stored)}`);

/** What is beyond the empty server in the same phase is for the objects. */
async function report(when: string, phase: Phase, { bench, pid }: Running): Promise<void> {
  if (phase === 'settled') await settle();
  const { anonymous, text } = await look(bench.client, pid);
  console.log(`${when}, ${phase}, MiB: ${text}`);
  console.log(`  for objects: ${perObject(anonymous - before[phase])}`);
}

await report('after writing them', 'ready', empty);
await report('after writing them', 'settled', empty);
if (Number(options.rows) > 0) {
  for (const { run } of workloadsOf('')) await run(empty.bench);
  await report('after all rows', 'ready', empty);
  await report('after all rows', 'settled', empty);
}
await stop(empty);

for (let i = 1; i <= Number(options.starts); i++) {
  const startedAt = performance.now();
  const cold = await start();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  const cpu = (cpuMs(cold.pid) / 1000).toFixed(2);
  console.log(`cold start ${i}: ready after ${seconds} s, ${cpu} s of CPU`);
  await report('  cold', 'ready', cold);
  await report('  cold', 'settled', cold);
  if (i === Number(options.starts) && Number(options.updates) > 0) {
    await update(cold.bench, Number(options.updates));
    await report(`  after ${options.updates} changes`, 'settled', cold);
  }
  await stop(cold);
}
await etcd?.dispose();
directory.remove();

async function update(bench: Bench, count: number): Promise<void> {
  const type = 'application/merge-patch+json';
  for (let i = 0; i < count; i += 32) {
    const patches = Array.from({ length: Math.min(32, count - i) }, (_, j) =>
      bench.client.send(
        'PATCH',
        bench.item(i + j),
        { spec: { leaseTransitions: 1 + Math.floor((i + j) / objects) } },
        type,
      ),
    );
    const failed = (await Promise.all(patches)).find(({ status }) => status !== 200);
    if (failed !== undefined) throw new Error(`an object could not be changed: ${failed.status}`);
  }
}
