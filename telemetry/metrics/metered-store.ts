import type { GroupResource } from '../../api/group-version.ts';
import type { Clock } from '../../api/clock.ts';
import type { BatchOperation, ListOptions, Store, WatchBatch } from '../../storage/interface.ts';
import { CellFamily, HistogramFamily, type Cell, type Family, type Histogram } from './family.ts';
import { resourceOfPrefix, resourcePrefixOf } from '../../storage/keys.ts';

const BUCKETS = [
  0.001, 0.0025, 0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10,
  15, 20, 30, 45, 60,
];
const LABELS = ['operation', 'group', 'resource'];
/** Calls that are about no resource or about several. */
const NO_RESOURCE: GroupResource = { group: '', resource: '' };

interface CallSeries {
  readonly total: Cell;
  readonly errors: Cell;
  readonly duration: Histogram;
}

/** Counts the calls of a store, by the names that dashboards know for etcd (behaviours 1.14). */
export class StoreMetrics {
  readonly #total = new CellFamily(
    'etcd_requests_total',
    'counter',
    'Calls to the store by operation and resource.',
    LABELS,
  );
  readonly #errors = new CellFamily(
    'etcd_request_errors_total',
    'counter',
    'Failed calls to the store by operation and resource.',
    LABELS,
  );
  readonly #duration = new HistogramFamily(
    'etcd_request_duration_seconds',
    'Duration of calls to the store by operation and resource.',
    BUCKETS,
    LABELS,
  );
  readonly #events = new CellFamily(
    'apiserver_storage_events_received_total',
    'counter',
    'Events received from the store by resource.',
    ['group', 'resource'],
  );
  readonly #calls = new Map<string, CallSeries>();
  readonly #received = new Map<string, Cell>();

  families(): Family[] {
    return [this.#total, this.#errors, this.#duration, this.#events];
  }

  /** `key` is a key or a prefix of the registry; empty for calls about no resource. */
  call(operation: string, key: string): CallSeries {
    const prefix = resourcePrefixOf(key) ?? '';
    const id = `${operation} ${prefix}`;
    let series = this.#calls.get(id);
    if (series === undefined) {
      const { group, resource } = resourceOf(prefix);
      series = {
        total: this.#total.with(operation, group, resource),
        errors: this.#errors.with(operation, group, resource),
        duration: this.#duration.with(operation, group, resource),
      };
      if (this.#calls.size < MAX_CALL_SERIES) this.#calls.set(id, series);
    }
    return series;
  }

  received(key: string): void {
    const prefix = resourcePrefixOf(key) ?? '';
    let cell = this.#received.get(prefix);
    if (cell === undefined) {
      const { group, resource } = resourceOf(prefix);
      cell = this.#events.with(group, resource);
      if (this.#received.size < MAX_CALL_SERIES) this.#received.set(prefix, cell);
    }
    cell.value++;
  }
}

/** Operations times resources that are found without making labels. */
const MAX_CALL_SERIES = 10_000;

function resourceOf(prefix: string): GroupResource {
  return prefix === '' ? NO_RESOURCE : resourceOfPrefix(prefix);
}

/** The store with its calls counted; nothing else differs. */
export function meteredStore(store: Store, metrics: StoreMetrics, clock: Clock): Store {
  // by `then`: each write comes through here, and an async function takes longer
  const measured = <T>(operation: string, key: string, run: () => Promise<T>): Promise<T> => {
    const series = metrics.call(operation, key);
    const started = clock.monotonic();
    const ended = (): void => {
      series.total.value++;
      series.duration.observe((clock.monotonic() - started) / 1000);
    };
    const failed = (error: unknown): never => {
      series.errors.value++;
      ended();
      throw error;
    };
    return asked(run).then((result) => {
      ended();
      return result;
    }, failed);
  };
  const list = (options: ListOptions) =>
    measured('list', options.prefix, () => store.list(options));
  return {
    maxValueBytes: store.maxValueBytes,
    get: (key, options) => measured('get', key, () => store.get(key, options)),
    list,
    create: (key, value, options) =>
      measured('create', key, () => store.create(key, value, options)),
    update: (key, value, expected, options) =>
      measured('update', key, () => store.update(key, value, expected, options)),
    delete: (key, expected, options) =>
      measured('delete', key, () => store.delete(key, expected, options)),
    batch: (operations, options) =>
      measured('batch', batchKey(operations), () => store.batch(operations, options)),
    watch: (options) => counted(store.watch(options), metrics),
    currentRevision: (options) =>
      measured('currentRevision', '', () => store.currentRevision(options)),
    // no call: nothing is asked
    newestRevision: () => store.newestRevision?.(),
    requestProgress: () => measured('requestProgress', '', () => store.requestProgress()),
    compact: (revision, options) => measured('compact', '', () => store.compact(revision, options)),
    checkHealth: (options) => measured('checkHealth', '', () => store.checkHealth(options)),
    describe: (options) => store.describe(options),
    close: () => store.close(),
  };
}

/** What a call answers; what it throws is a rejection, too. */
function asked<T>(run: () => Promise<T>): Promise<T> {
  try {
    return run();
  } catch (error) {
    return Promise.resolve().then(() => {
      throw error;
    });
  }
}

function batchKey(operations: readonly BatchOperation[]): string {
  return operations.length === 1 ? (operations[0]?.key ?? '') : '';
}

/**
 * The batches with their events counted. No generator: the `return` of one
 * waits for the `next` that is under way, and a quiet watch would not end.
 */
function counted(
  batches: AsyncIterable<WatchBatch>,
  metrics: StoreMetrics,
): AsyncIterable<WatchBatch> {
  return {
    [Symbol.asyncIterator]() {
      const inner = batches[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await inner.next();
          if (result.done === true) return result;
          for (const event of result.value.events) metrics.received(event.key);
          return result;
        },
        async return() {
          return (await inner.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
