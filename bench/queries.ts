import { Command } from 'commander';
import { LoadClient } from './load/client.ts';
import { measure } from './load/measure.ts';
import { cpuMs, residentMiB } from './load/process.ts';
import { dataDirectory, startPlinth } from './load/target.ts';
import { fillDirectory } from './load/filled-store.ts';
import { BENCH_GROUP, defineWidgets, widget } from './load/widgets.ts';

/**
 * What questions cost the server, next to a plain list of the same result: by
 * label, field and path, in order, by filter, counted, and watches that share a
 * filter. Embedded store, objects of 1 KB. Figures, not tests.
 */
const options = new Command('bench/queries')
  .option('--objects <n>', 'objects that are selected from', '100000')
  .option('--filtered <n>', 'objects that a filter looks at', '10000')
  .option('--watches <n>', 'watches with the same filter', '1000')
  .option('--requests <n>', 'requests of a row', '60')
  .parse()
  .opts<Record<'objects' | 'filtered' | 'watches' | 'requests', string>>();

const objects = Number(options.objects);
const filtered = Number(options.filtered);
const directory = dataDirectory();

async function start(): Promise<{ pid: number; client: LoadClient; stop: () => Promise<void> }> {
  const target = await startPlinth('embedded', [], directory.path);
  const client = new LoadClient(target.endpoint, 2_000);
  const stop = async (): Promise<void> => {
    client.close();
    await target.stop();
  };
  return { pid: target.pid ?? 0, client, stop };
}

const first = await start();
await defineWidgets(first.client, 'Widget', 'widgets');
await defineWidgets(first.client, 'Gadget', 'gadgets');
await first.stop();
const bytes = await fillDirectory(directory.path, [
  { prefix: `${BENCH_GROUP}/widgets/`, count: objects, make: (i) => widget('Widget', i) },
  { prefix: `${BENCH_GROUP}/gadgets/`, count: filtered, make: (i) => widget('Gadget', i) },
]);
const { pid, client, stop } = await start();
const widgets = `/apis/${BENCH_GROUP}/v1/widgets`;
const gadgets = `/apis/${BENCH_GROUP}/v1/gadgets`;
console.log(
  `${objects} and ${filtered} objects, ${(bytes / 2 ** 20).toFixed(0)} MiB stored, ${residentMiB(pid).toFixed(0)} MiB resident`,
);

async function get(path: string): Promise<boolean> {
  return (await client.send('GET', path)).status === 200;
}

function report(row: string, figures: Record<string, number>): void {
  const told = Object.entries(figures).map(
    ([name, value]) => `${name} ${value.toFixed(value < 10 ? 3 : 1)}`,
  );
  console.log(`${row.padEnd(44)} ${told.join(', ')}`);
}

/** CPU of the server for the first request, and for each of many once it has what it makes for them. */
async function ask(row: string, path: string, repeat = Number(options.requests)): Promise<void> {
  const before = cpuMs(pid);
  if (!(await get(path))) throw new Error(`${path} is not answered`);
  const firstMs = cpuMs(pid) - before;
  for (let i = 0; i < 5; i++) await get(path);
  await quiet();
  const load = { concurrency: 2, seconds: 600, operations: repeat, pids: [pid] };
  const { cpuMs: later, p50Ms } = await measure(load, () => get(path));
  report(row, { 'first ms': firstMs, 'then ms': later, 'p50 ms': p50Ms });
}

/** CPU of the server for a request that nothing is kept for, once it has seen others like it. */
async function askUnknown(row: string, paths: readonly string[]): Promise<void> {
  const [warm, others] = [paths.slice(0, 3), paths.slice(3)];
  for (const path of warm) await get(path);
  await quiet();
  const before = cpuMs(pid);
  for (const path of others) if (!(await get(path))) throw new Error(`${path} is not answered`);
  report(row, { 'each ms': (cpuMs(pid) - before) / others.length });
}

/** Waits until the server has nothing left to do by itself. */
async function quiet(): Promise<void> {
  for (let before = NaN; ;) {
    const now = cpuMs(pid);
    if (now - before < 20) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

const many = Number(options.requests) * 20;
await ask('get', widgets.replace('widgets', 'namespaces/ns-0000/widgets/widget-0000005'), many);
await ask('plain list of 1,000', `/apis/${BENCH_GROUP}/v1/namespaces/ns-0000/widgets`);
await ask('1 % by label', `${widgets}?labelSelector=bucket%3Dv7`);
await ask('1 % by selectable field', `${widgets}?fieldSelector=spec.color%3Dv7`);
await ask('1 % by another path', `${widgets}?fieldSelector=spec.size%3Dv7`);
await ask(
  '1 % by label in (a,b), half of them each',
  `${widgets}?labelSelector=bucket+in+(v7,none)`,
);
await ask('1 % by label, first 50', `${widgets}?labelSelector=bucket%3Dv7&limit=50`);
await ask('first 50 in order', `${widgets}?orderBy=spec.priority&limit=50`, 20);
await ask(
  'first 50 in order, a second key',
  `${widgets}?orderBy=spec.size,spec.priority:desc&limit=50`,
  20,
);
const inOrder = (keys: string): string => `${widgets}?limit=50&orderBy=${keys}`;
await askUnknown(
  'first 50 in an order never asked for',
  ['', ',spec.size', ',spec.size:desc', ',spec.note', ',spec.note:desc', ',metadata.uid'].flatMap(
    (second) => [
      inOrder(`spec.priority${second || ',spec.color'}`),
      inOrder(`spec.priority:desc${second}`),
    ],
  ),
);
await askUnknown(
  'the same by time, all equal, and a second key',
  [
    'spec.color',
    'spec.color:desc',
    'spec.size',
    'spec.size:desc',
    'spec.priority',
    'spec.priority:desc',
  ].map((second) => inOrder(`metadata.creationTimestamp,${second}`)),
);
await ask('count', `${widgets}?count=true`, many);
await ask('count by label', `${widgets}?count=true&labelSelector=bucket%3Dv7`);
await ask(
  `filter over ${filtered}`,
  `${gadgets}?filter=${encodeURIComponent('object.spec.priority < 100')}`,
);

await askUnknown(
  `a filter never asked for, over ${filtered}`,
  Array.from({ length: 10 }, (_, i) => {
    const filter = encodeURIComponent(`object.spec.priority < ${i}`);
    return `${gadgets}?filter=${filter}`;
  }),
);

/** How often the server has evaluated filters. */
async function evaluations(): Promise<number> {
  const { text } = await client.send('GET', '/metrics', undefined, 'text/plain', true);
  return Number(/^plinth_filter_evaluations_total (\d+)$/m.exec(text)?.[1]);
}

const EVENTS = 200;

/** CPU and evaluations of filters for an event while so many watches with these parameters are open. */
async function perEvent(
  row: string,
  watches: number,
  parameters: (i: number) => string,
): Promise<void> {
  const closers = await Promise.all(
    Array.from({ length: watches }, (_, i) =>
      client.watch(
        `${gadgets}?watch=1&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan${parameters(i)}`,
        () => undefined,
      ),
    ),
  );
  await quiet();
  const path = `/apis/${BENCH_GROUP}/v1/namespaces/ns-0000/gadgets/widget-0000001`;
  const load = { concurrency: 1, seconds: 600, operations: EVENTS, pids: [pid] };
  const before = await evaluations();
  const { cpuMs: each, failures } = await measure(load, async (i) => {
    const patch = { metadata: { annotations: { note: `${row} ${i}` } } };
    const type = 'application/merge-patch+json';
    return (await client.send('PATCH', path, patch, type)).status === 200;
  });
  if (failures > 0) throw new Error(`${failures} of ${EVENTS} changes failed`);
  await quiet();
  report(row, { 'ms an event': each, evaluations: ((await evaluations()) - before) / EVENTS });
  for (const close of closers) close();
  await quiet();
}

// a change needs its namespace, which the filled store does not have
await client.send('POST', '/api/v1/namespaces', { metadata: { name: 'ns-0000' } });
const watches = Number(options.watches);
const never = encodeURIComponent('object.spec.priority < 0');
await perEvent('events, no watch', 0, () => '');
await perEvent('events, one watch with a filter', 1, () => `&filter=${never}`);
await perEvent(`events, ${watches} watches with one filter`, watches, () => `&filter=${never}`);
await perEvent(
  `events, ${watches} watches with one each`,
  watches,
  (i) => `&filter=${encodeURIComponent(`object.spec.priority < ${-i - 1}`)}`,
);
const metrics = await client.send('GET', '/metrics', undefined, 'text/plain', true);
for (const line of metrics.text.split('\n'))
  if (line.startsWith('plinth_replica_index')) console.log(line);
await stop();
directory.remove();
