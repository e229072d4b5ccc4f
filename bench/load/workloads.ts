import type { JsonObject } from '../../api/json.ts';
import { apiObjectOf, type ApiObject } from '../../api/object.ts';
import { cpuMsOf, residentMiB } from './process.ts';
import type { Load } from './client.ts';
import { openLoad } from './http2-client.ts';
import { measure, percentile, type Measurement } from './measure.ts';
import type { Target } from './target.ts';

/** One row of the report. */
export interface Workload {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<Measurement>;
}

interface BenchOptions {
  /** Objects in the collection that lists and gets read. */
  readonly objects: number;
  /** Time for one row, in seconds. */
  readonly seconds: number;
  /** Operations of one row where they end it instead of the time; 0: the time ends it. */
  readonly operations?: number;
}

const OBJECT_BYTES = 1_100;
/** In addition to the object's own bytes. */
const APPLIED_BYTES = 700;
const LABEL_VALUES = 100;
const WATCHERS = 200;
/** Namespace of what the rows create. */
const FRESH = 'bench-fresh';

/** A server with a filled collection, and the clients that drive it. */
export class Bench {
  readonly target: Target;
  readonly options: BenchOptions;
  readonly client: Load;
  #created = 0;
  #changes = 0;

  /** `connections`: those of HTTP/1.1. */
  constructor(target: Target, options: BenchOptions, connections = 64) {
    this.target = target;
    this.options = options;
    this.client = openLoad(target.endpoint, connections);
  }

  get collection(): string {
    return this.#leasesIn('default');
  }

  /** Where the rows create: lists of later rows and rounds stay as long as those of the first. */
  get fresh(): string {
    return this.#leasesIn(FRESH);
  }

  #leasesIn(namespace: string): string {
    return `/apis/${this.target.group}/v1/namespaces/${namespace}/leases`;
  }

  /** `transitions`: something that each update changes. */
  object(name: string, i: number, transitions?: number, namespace = 'default'): JsonObject {
    return {
      apiVersion: `${this.target.group}/v1`,
      kind: 'Lease',
      metadata: {
        name,
        namespace,
        labels: { bucket: `b${i % LABEL_VALUES}`, app: 'bench' },
        annotations: { 'example.com/padding': 'x'.repeat(OBJECT_BYTES - 400) },
      },
      spec: {
        holderIdentity: 'bench',
        leaseDurationSeconds: 15,
        ...(transitions === undefined ? {} : { leaseTransitions: transitions }),
      },
    };
  }

  /** An object of the collection that reads work on as it is stored, for a store that is filled without a server. */
  stored(i: number): ApiObject {
    const object = apiObjectOf(this.object(nameOf(i), i));
    const uid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const metadata = { ...object.metadata, uid, creationTimestamp: '2026-01-01T00:00:00Z' };
    return { ...object, metadata };
  }

  /** Makes what the rows create in. */
  async prepare(): Promise<void> {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: FRESH } };
    await this.client.send('POST', '/api/v1/namespaces', namespace);
  }

  /** Fills the collection that reads work on. */
  async fill(): Promise<void> {
    const { objects } = this.options;
    await this.prepare();
    const result = await measure(
      { concurrency: 32, seconds: 600, operations: objects, pids: [] },
      async (i) => {
        const answer = await this.client.send('POST', this.collection, this.object(nameOf(i), i));
        return answer.status === 201;
      },
    );
    if (result.failures > 0) throw new Error(`${result.failures} objects could not be created`);
  }

  async create(name: string, i: number): Promise<boolean> {
    const object = this.object(name, i, undefined, FRESH);
    return (await this.client.send('POST', this.fresh, object)).status === 201;
  }

  freshName(): string {
    return `new-${process.pid}-${this.#created++}`;
  }

  /** The name that `freshName` gave last. */
  lastName(): string {
    return `new-${process.pid}-${this.#created - 1}`;
  }

  /** What no object has yet: also a later round changes each object that it writes. */
  freshTransitions(): number {
    return ++this.#changes;
  }

  /** Where the collection stands now. */
  async resourceVersion(): Promise<string> {
    const path = `${this.fresh}?limit=1`;
    const { text } = await this.client.send('GET', path, undefined, 'application/json', true);
    return (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  }

  load(concurrency: number): Parameters<typeof measure>[0] {
    const { operations = 0, seconds } = this.options;
    const { pids } = this.target;
    if (operations === 0) return { concurrency, seconds, operations: Infinity, pids };
    return { concurrency, seconds: Infinity, operations, pids };
  }

  async get(path: string): Promise<boolean> {
    return (await this.client.send('GET', path)).status === 200;
  }

  item(i: number): string {
    const index = (i * 7919) % this.options.objects;
    return `${this.collection}/${nameOf(index)}`;
  }

  residentMiB(): number {
    return this.target.pid === undefined ? NaN : residentMiB(this.target.pid);
  }

  close(): void {
    this.client.close();
  }
}

/** Name of an object of the collection that reads work on. */
export function nameOf(i: number): string {
  return `item-${String(i).padStart(6, '0')}`;
}

const WORKLOADS: readonly Workload[] = [
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
        const patch = { spec: { leaseTransitions: b.freshTransitions() } };
        const type = 'application/merge-patch+json';
        return (await b.client.send('PATCH', b.item(i), patch, type)).status === 200;
      }),
  },
  {
    name: 'apply (2 KB)',
    run: (b) =>
      measure(b.load(16), async (i) => {
        const configuration = {
          apiVersion: `${b.target.group}/v1`,
          kind: 'Lease',
          metadata: { annotations: { 'example.com/applied': 'x'.repeat(APPLIED_BYTES) } },
          spec: { holderIdentity: 'applier', leaseTransitions: b.freshTransitions() },
        };
        const path = `${b.item(i)}?fieldManager=bench&force=true`;
        const type = 'application/apply-patch+yaml';
        return (await b.client.send('PATCH', path, configuration, type)).status === 200;
      }),
  },
  { name: 'update', run: update },
  { name: `one event to ${WATCHERS} watchers`, run: fanOut },
  { name: 'write to watch', run: writeToWatch },
];

/** The rows whose name contains one of the texts, which commas separate; all without a text. */
export function workloadsOf(texts: string): readonly Workload[] {
  return WORKLOADS.filter(({ name }) => texts.split(',').some((text) => name.includes(text)));
}

/** As clients do it: on the version that they saw last. Without one a Lease is not updated. */
async function update(b: Bench): Promise<Measurement> {
  const { text } = await b.client.send('GET', b.collection, undefined, 'application/json', true);
  const { items } = JSON.parse(text) as { items: ApiObject[] };
  const seen = new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  return measure(b.load(16), async (i) => {
    const path = b.item(i);
    const name = path.slice(b.collection.length + 1);
    const object = apiObjectOf(b.object(name, i, b.freshTransitions()));
    const metadata = { ...object.metadata, resourceVersion: seen.get(name) };
    const body = { ...object, metadata };
    const answer = await b.client.send('PUT', path, body, 'application/json', true);
    seen.set(name, /"resourceVersion":"(\d+)"/.exec(answer.text)?.[1]);
    return answer.status === 200;
  });
}

/** Operations are deliveries; what the writes themselves cost is taken off. */
async function fanOut(b: Bench): Promise<Measurement> {
  const writes = measure({ ...b.load(8), operations: 2_000 }, (i) => b.create(b.freshName(), i));
  const alone = await writes;
  const from = await b.resourceVersion();
  const client = openLoad(b.target.endpoint, WATCHERS);
  let delivered = 0;
  const path = `${b.fresh}?watch=1&resourceVersion=${from}`;
  const closers = await Promise.all(
    Array.from({ length: WATCHERS }, () =>
      client.watch(path, () => {
        delivered++;
      }),
    ),
  );
  const { pids } = b.target;
  const cpuBefore = cpuMsOf(pids);
  const startedAt = performance.now();
  const during = await measure(b.load(4), (i) => b.create(b.freshName(), i));
  const expected = during.operations * WATCHERS;
  while (delivered < expected && performance.now() - startedAt < 60_000) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  const used = cpuMsOf(pids) - cpuBefore;
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
  const close = await b.client.watch(`${b.fresh}?watch=1&resourceVersion=${from}`, (line, at) => {
    const name = /"name":"([^"]+)"/.exec(line)?.[1];
    if (name !== undefined) arrivals.set(name, at);
  });
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
