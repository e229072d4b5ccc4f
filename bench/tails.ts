import { PerformanceObserver } from 'node:perf_hooks';
import { readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { JsonObject } from '../api/json.ts';
import { LoadClient } from './load/client.ts';
import { percentile } from './load/measure.ts';
import { startWithStore, type Target } from './load/target.ts';
import { Bench, nameOf } from './load/workloads.ts';

/**
 * What the slowest hundredth of the requests of a row waits for: how long a request
 * was on its way to the handler, in the handler, and on its way back, and how much of
 * that passed in collections of the server's and of the client's heap. Figures, not tests.
 */
const options = new Command('bench/tails')
  .option('--store <name>', 'embedded or etcd', 'embedded')
  .option('--objects <n>', 'objects of the collection', '10000')
  .option('--seconds <n>', 'time for one row', '6')
  .parse()
  .opts<Record<'store' | 'objects' | 'seconds', string>>();

/** A span of time, in milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Noted {
  /** When the handler began and ended, by the id that the client gave. */
  readonly requests: Readonly<Record<string, readonly [from: number, to: number]>>;
  readonly collections: readonly (readonly [from: number, ms: number])[];
}

const ID_HEADER = 'x-bench-id';
const NOTES = join(tmpdir(), `plinth-tails-${process.pid}.json`);

/** Runs in the server's process, before its own code: notes what SIGUSR2 has it write down and forget. */
const PROBE = `
import { subscribe } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import { performance, PerformanceObserver } from 'node:perf_hooks';
let noted = { requests: {}, collections: [] };
const now = () => performance.timeOrigin + performance.now();
const began = new WeakMap();
subscribe('http.server.request.start', ({ request }) => began.set(request, now()));
subscribe('http.server.response.finish', ({ request }) => {
  const id = request.headers['${ID_HEADER}'];
  if (id !== undefined) noted.requests[id] = [began.get(request), now()];
});
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) noted.collections.push([performance.timeOrigin + startTime, duration]);
}).observe({ entryTypes: ['gc'] });
process.on('SIGUSR2', () => {
  writeFileSync('${NOTES}.part', JSON.stringify(noted));
  renameSync('${NOTES}.part', '${NOTES}');
  noted = { requests: {}, collections: [] };
});`;

const now = (): number => performance.timeOrigin + performance.now();
let ownCollections: Span[] = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    const from = performance.timeOrigin + startTime;
    ownCollections.push({ from, to: from + duration });
  }
}).observe({ entryTypes: ['gc'] });

async function startProbed(): Promise<Target> {
  process.env['NODE_OPTIONS'] =
    `--import data:text/javascript;base64,${Buffer.from(PROBE).toString('base64')}`;
  try {
    return await startWithStore(options.store);
  } finally {
    delete process.env['NODE_OPTIONS'];
  }
}

async function notesOf(pid: number): Promise<Noted> {
  rmSync(NOTES, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(NOTES)) await new Promise((resolve) => setTimeout(resolve, 20));
  return JSON.parse(readFileSync(NOTES, 'utf8')) as Noted;
}

const target = await startProbed();
const pid = target.pid ?? 0;
const bench = new Bench(target, { objects: Number(options.objects), seconds: 0 });
await bench.fill();
const client = new LoadClient(target.endpoint, 64);
let sent = 0;

/** One request as a row makes it: method, path, and what it sends. */
type Asked = readonly [method: string, path: string, body?: JsonObject, type?: string];

async function send([method, path, body, type]: Asked, id: string): Promise<void> {
  const { status } = await client.send(method, path, body, type, false, { [ID_HEADER]: id });
  if (status >= 300) throw new Error(`${path}: ${status}`);
}

/** How much of a span the others cover. */
function shared({ from, to }: Span, others: readonly Span[]): number {
  return others.reduce(
    (sum, other) => sum + Math.max(0, Math.min(to, other.to) - Math.max(from, other.from)),
    0,
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

async function row(name: string, concurrency: number, ask: (i: number) => Asked): Promise<void> {
  const run = async (seconds: number): Promise<Map<string, Span>> => {
    const spans = new Map<string, Span>();
    const end = now() + seconds * 1_000;
    const lane = async (): Promise<void> => {
      while (now() < end) {
        const i = sent++;
        const from = now();
        await send(ask(i), String(i));
        spans.set(String(i), { from, to: now() });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    return spans;
  };
  await run(2);
  await notesOf(pid);
  ownCollections = [];
  const spans = await run(Number(options.seconds));
  const { requests, collections } = await notesOf(pid);
  const serverCollections = collections.map(([from, ms]) => ({ from, to: from + ms }));
  const took = [...spans.values()].map(({ from, to }) => to - from);
  const limit = percentile(took, 0.99);
  const slowest = [...spans].filter(([, { from, to }]) => to - from >= limit);
  const parts = slowest.flatMap(([id, span]) => {
    const handled = requests[id];
    if (handled === undefined) return [];
    const [from, to] = handled;
    return [
      {
        before: from - span.from,
        within: to - from,
        after: span.to - to,
        serverCollection: shared(span, serverCollections),
        ownCollection: shared(span, ownCollections),
      },
    ];
  });
  const of = (key: keyof (typeof parts)[number]): string =>
    mean(parts.map((part) => part[key])).toFixed(2);
  console.log(
    `| ${name}, ${concurrency} | ${percentile(took, 0.5).toFixed(2)} / ${limit.toFixed(2)} | ${of('before')} | ${of('within')} | ${of('after')} | ${of('serverCollection')} | ${of('ownCollection')} |`,
  );
}

const { collection, fresh } = bench;
const one = (i: number): string => `${collection}/${nameOf((i * 7_919) % Number(options.objects))}`;

console.log(
  '| row, requests in flight | p50 / p99 ms | before the handler | in it | after it | server collects | client collects |',
);
console.log('|---|---|---|---|---|---|---|');
await row('get', 1, (i) => ['GET', one(i)]);
await row('get', 32, (i) => ['GET', one(i)]);
await row('get at resourceVersion=0', 32, (i) => ['GET', `${one(i)}?resourceVersion=0`]);
await row('list, limit=500', 4, () => ['GET', `${collection}?limit=500`]);
await row('list of all', 4, () => ['GET', collection]);
const creates = (i: number): Asked => {
  const name = `tail-${i}`;
  return ['POST', fresh, bench.object(name, i, undefined, fresh.split('/').at(-2))];
};
await row('create', 1, creates);
await row('create', 16, creates);
await row('merge patch', 16, (i) => [
  'PATCH',
  `${collection}/${nameOf(i % 2_000)}`,
  { spec: { leaseTransitions: i } },
  'application/merge-patch+json',
]);
client.close();
bench.client.close();
await target.stop();
rmSync(NOTES, { force: true });
