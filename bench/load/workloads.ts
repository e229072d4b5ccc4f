import { cpuMs, residentMiB } from './process.ts';
import { LoadClient } from './client.ts';
import { measure, percentile, type Measurement } from './measure.ts';
import type { Target } from './target.ts';

/** One row of the report. */
interface Workload {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<Measurement>;
}

interface BenchOptions {
  /** Group of the Lease kind: another server of this API may call it differently. */
  readonly group: string;
  /** Objects in the collection that lists and gets read. */
  readonly objects: number;
  /** Time for one row, in seconds. */
  readonly seconds: number;
}

const OBJECT_BYTES = 1_100;
/** In addition to the object's own bytes. */
const APPLIED_BYTES = 700;
const LABEL_VALUES = 100;
const WATCHERS = 200;

/** A server with a filled collection, and the clients that drive it. */
export class Bench {
  readonly target: Target;
  readonly options: BenchOptions;
  readonly client: LoadClient;
  #created = 0;

  constructor(target: Target, options: BenchOptions) {
    this.target = target;
    this.options = options;
    this.client = new LoadClient(target.endpoint, 64);
  }

  get collection(): string {
    return `/apis/${this.options.group}/v1/namespaces/default/leases`;
  }

  object(name: string, i: number): unknown {
    return {
      apiVersion: `${this.options.group}/v1`,
      kind: 'Lease',
      metadata: {
        name,
        namespace: 'default',
        labels: { bucket: `b${i % LABEL_VALUES}`, app: 'bench' },
        annotations: { 'example.com/padding': 'x'.repeat(OBJECT_BYTES - 400) },
      },
      spec: { holderIdentity: 'bench', leaseDurationSeconds: 15 },
    };
  }

  /** Fills the collection that reads work on. */
  async fill(): Promise<void> {
    const { objects } = this.options;
    const result = await measure(
      { concurrency: 32, seconds: 600, operations: objects, pid: undefined },
      (i) => this.create(`item-${String(i).padStart(6, '0')}`, i),
    );
    if (result.failures > 0) throw new Error(`${result.failures} objects could not be created`);
  }

  async create(name: string, i: number): Promise<boolean> {
    const answer = await this.client.send('POST', this.collection, this.object(name, i));
    return answer.status === 201;
  }

  freshName(): string {
    return `new-${process.pid}-${this.#created++}`;
  }

  /** The name that `freshName` gave last. */
  lastName(): string {
    return `new-${process.pid}-${this.#created - 1}`;
  }

  /** Where the collection stands now. */
  async resourceVersion(): Promise<string> {
    const path = `${this.collection}?limit=1`;
    const { text } = await this.client.send('GET', path, undefined, 'application/json', true);
    return (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  }

  load(concurrency: number, operations = Infinity): Parameters<typeof measure>[0] {
    return { concurrency, seconds: this.options.seconds, operations, pid: this.target.pid };
  }

  async get(path: string): Promise<boolean> {
    return (await this.client.send('GET', path)).status === 200;
  }

  item(i: number): string {
    const index = (i * 7919) % this.options.objects;
    return `${this.collection}/item-${String(index).padStart(6, '0')}`;
  }

  residentMiB(): number {
    return this.target.pid === undefined ? NaN : residentMiB(this.target.pid);
  }

  close(): void {
    this.client.close();
  }
}

export const WORKLOADS: readonly Workload[] = [
  { name: 'get', run: (b) => measure(b.load(32), (i) => b.get(b.item(i))) },
  {
    name: 'get resourceVersion=0',
    run: (b) => measure(b.load(32), (i) => b.get(`${b.item(i)}?resourceVersion=0`)),
  },
  {
    name: 'list limit=500',
    run: (b) => measure(b.load(4), () => b.get(`${b.collection}?limit=500`)),
  },
  { name: 'list of all', run: (b) => measure(b.load(4), () => b.get(b.collection)) },
  {
    name: 'list 1 % by label',
    run: (b) =>
      measure(b.load(4), (i) =>
        b.get(`${b.collection}?labelSelector=bucket%3Db${i % LABEL_VALUES}`),
      ),
  },
  { name: 'create', run: (b) => measure(b.load(16), (i) => b.create(b.freshName(), i)) },
  {
    name: 'merge patch',
    run: (b) =>
      measure(b.load(16), async (i) => {
        const patch = { spec: { leaseTransitions: i + 1 } };
        const type = 'application/merge-patch+json';
        return (await b.client.send('PATCH', b.item(i), patch, type)).status === 200;
      }),
  },
  {
    name: 'apply (2 KB)',
    run: (b) =>
      measure(b.load(16), async (i) => {
        const configuration = {
          apiVersion: `${b.options.group}/v1`,
          kind: 'Lease',
          metadata: { annotations: { 'example.com/applied': 'x'.repeat(APPLIED_BYTES) } },
          spec: { holderIdentity: 'applier', leaseTransitions: i + 1 },
        };
        const path = `${b.item(i)}?fieldManager=bench&force=true`;
        const type = 'application/apply-patch+yaml';
        return (await b.client.send('PATCH', path, configuration, type)).status === 200;
      }),
  },
  { name: `one event to ${WATCHERS} watchers`, run: fanOut },
  { name: 'write to watch', run: writeToWatch },
];

/** Operations are deliveries; what the writes themselves cost is taken off. */
async function fanOut(b: Bench): Promise<Measurement> {
  const writes = measure({ ...b.load(8), operations: 2_000 }, (i) => b.create(b.freshName(), i));
  const alone = await writes;
  const from = await b.resourceVersion();
  const client = new LoadClient(b.target.endpoint, WATCHERS);
  let delivered = 0;
  const path = `${b.collection}?watch=1&resourceVersion=${from}`;
  const closers = await Promise.all(
    Array.from({ length: WATCHERS }, () =>
      client.watch(path, () => {
        delivered++;
      }),
    ),
  );
  const { pid } = b.target;
  const cpuBefore = pid === undefined ? NaN : cpuMs(pid);
  const startedAt = performance.now();
  const during = await measure(b.load(4), (i) => b.create(b.freshName(), i));
  const expected = during.operations * WATCHERS;
  while (delivered < expected && performance.now() - startedAt < 60_000) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  const used = pid === undefined ? NaN : cpuMs(pid) - cpuBefore;
  for (const close of closers) close();
  client.close();
  return {
    operations: delivered,
    perSecond: delivered / elapsed,
    p50Ms: NaN,
    p99Ms: NaN,
    cpuMs: (used - during.operations * alone.cpuMs) / delivered,
    failures: expected - delivered,
  };
}

/** Time from the answer of a write (sent now and then) to its event at one watcher. */
async function writeToWatch(b: Bench): Promise<Measurement> {
  const from = await b.resourceVersion();
  const arrivals = new Map<string, number>();
  const close = await b.client.watch(
    `${b.collection}?watch=1&resourceVersion=${from}`,
    (line, at) => {
      const name = /"name":"([^"]+)"/.exec(line)?.[1];
      if (name !== undefined) arrivals.set(name, at);
    },
  );
  const latencies: number[] = [];
  let failures = 0;
  const endsAt = performance.now() + b.options.seconds * 1000;
  while (performance.now() < endsAt) {
    const name = b.freshName();
    const sentAt = performance.now();
    await b.create(name, 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const at = arrivals.get(name);
    if (at === undefined) failures++;
    else latencies.push(at - sentAt);
  }
  close();
  return {
    operations: latencies.length,
    perSecond: NaN,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMs: NaN,
    failures,
  };
}
