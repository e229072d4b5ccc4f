import { Command } from 'commander';
import { LoadClient } from './load/client.ts';
import { percentile } from './load/measure.ts';
import { cpuMs, residentMiB } from './load/process.ts';
import { dataDirectory, startPlinth, type Target } from './load/target.ts';

/**
 * What installed definitions cost that are not used, and what the first use of
 * one costs: memory, time to start, time until served. Figures, not tests.
 */
const options = new Command('bench/crd')
  .option('--definitions <n>', 'definitions to install', '1000')
  .option('--kilobytes <n>', 'size of each', '50')
  .option('--used <n>', 'definitions to use', '50')
  .parse()
  .opts<Record<'definitions' | 'kilobytes' | 'used', string>>();

const DEFINITIONS = Number(options.definitions);
const USED = Math.min(Number(options.used), DEFINITIONS);
const CRDS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

/** Fields that together have about the size wanted: objects of twenty fields with descriptions, as generators make them. */
function schema(kilobytes: number): object {
  const description =
    'Tells the controller what it should do about this part of the object when nothing else says so.';
  const types = [
    { type: 'string', maxLength: 253, pattern: '^[a-z0-9.-]*$' },
    { type: 'integer', format: 'int32', minimum: 0 },
    { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set', maxItems: 64 },
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'boolean', default: false },
  ];
  const properties: Record<string, object> = {};
  for (let i = 0; JSON.stringify(properties).length < kilobytes * 1024; i++) {
    const fields = Array.from({ length: 20 }, (_, j) => [
      `field${j}`,
      { description, ...types[j % types.length] },
    ]);
    const part = { type: 'object', description, properties: Object.fromEntries(fields) as object };
    properties[`part${i}`] = part;
  }
  return { type: 'object', properties: { spec: { type: 'object', properties } } };
}

const SCHEMA = schema(Number(options.kilobytes));
const groupOf = (i: number): string => `group${i % 100}.example.com`;
const resourceOf = (i: number): string => `/apis/${groupOf(i)}/v1/kind${i}s`;

function definition(i: number): object {
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `kind${i}s.${groupOf(i)}` },
    spec: {
      group: groupOf(i),
      scope: 'Cluster',
      names: { plural: `kind${i}s`, kind: `Kind${i}` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } }],
    },
  };
}

function report(row: string, figures: Record<string, number>): void {
  const told = Object.entries(figures).map(
    ([name, value]) => `${name} ${value.toFixed(value < 10 ? 2 : 0)}`,
  );
  console.log(`${row}: ${told.join(', ')}`);
}

async function timed<T>(step: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  const result = await step();
  return [result, performance.now() - startedAt];
}

async function expected(
  client: LoadClient,
  status: number,
  ...request: Parameters<LoadClient['send']>
): Promise<void> {
  const answer = await client.send(...request);
  if (answer.status !== status) throw new Error(`${request[0]} ${request[1]}: ${answer.status}`);
}

async function untilServed(client: LoadClient, path: string): Promise<void> {
  while ((await client.send('GET', path)).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function install(target: Target, client: LoadClient): Promise<void> {
  const pid = target.pid ?? 0;
  const [before, used] = [residentMiB(pid), cpuMs(pid)];
  const delays: number[] = [];
  const [, ms] = await timed(async () => {
    for (let i = 0; i < DEFINITIONS; i++) {
      await expected(client, 201, 'POST', CRDS, definition(i));
      delays.push((await timed(() => untilServed(client, resourceOf(i))))[1]);
    }
  });
  delays.sort((a, b) => a - b);
  report(
    `${DEFINITIONS} definitions of ${JSON.stringify(definition(0)).length >> 10} KB installed`,
    {
      'seconds in all': ms / 1000,
      'CPU ms each': (cpuMs(pid) - used) / DEFINITIONS,
      'served after p50 ms': percentile(delays, 0.5),
      'p99 ms': percentile(delays, 0.99),
      'resident MiB': residentMiB(pid),
      'MiB before': before,
    },
  );
}

async function use(target: Target, client: LoadClient): Promise<void> {
  const pid = target.pid ?? 0;
  const before = residentMiB(pid);
  const first: number[] = [];
  const second: number[] = [];
  for (let i = 0; i < USED; i++) {
    for (const [n, times] of [first, second].entries()) {
      const object = {
        apiVersion: `${groupOf(i)}/v1`,
        kind: `Kind${i}`,
        metadata: { name: `object${n}` },
        spec: { part0: { field0: 'a', field1: 1, field2: ['a', 'b'] } },
      };
      times.push((await timed(() => expected(client, 201, 'POST', resourceOf(i), object)))[1]);
    }
  }
  for (const times of [first, second]) times.sort((a, b) => a - b);
  report(`${USED} of them used`, {
    'first create p50 ms': percentile(first, 0.5),
    'p99 ms': percentile(first, 0.99),
    'second create p50 ms': percentile(second, 0.5),
    'MiB more': residentMiB(pid) - before,
  });
}

async function publish(client: LoadClient): Promise<void> {
  const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const [, index] = await timed(() => client.send('GET', '/openapi/v3'));
  const [, document] = await timed(() => client.send('GET', `/openapi/v3/apis/${groupOf(0)}/v1`));
  const [, groups] = await timed(() => client.send('GET', '/apis', undefined, aggregated));
  const [list, crds] = await timed(() => client.send('GET', CRDS));
  report('documents', {
    'OpenAPI index ms': index,
    'of ten definitions ms': document,
    'discovery ms': groups,
    'list of all ms': crds,
    'list MiB': list.bytes / 2 ** 20,
  });
}

const data = dataDirectory();
let target = await startPlinth('embedded', [], data.path);
let client = new LoadClient(target.endpoint, 4);
report('empty server', { 'resident MiB': residentMiB(target.pid ?? 0) });
await install(target, client);
client.close();
await target.stop();

const [restarted, startMs] = await timed(() => startPlinth('embedded', [], data.path));
target = restarted;
client = new LoadClient(target.endpoint, 4);
report('started on them', {
  'ms until it serves': startMs,
  'CPU ms': cpuMs(target.pid ?? 0),
  'resident MiB': residentMiB(target.pid ?? 0),
});
await use(target, client);
await publish(client);
client.close();
await target.stop();
data.remove();
