import type { Clock } from '../../api/clock.ts';
import type { Revision } from '../../api/revision.ts';
import { StoreError, closedError, isStoreError } from '../errors.ts';
import type {
  CallOptions,
  GetResult,
  ListOptions,
  ListResult,
  ReadOptions,
  Store,
  StoreDescription,
  StoreHealth,
  WatchBatch,
  WatchOptions,
  WriteOptions,
} from '../interface.ts';
import type { PagesAhead } from '../pages-ahead.ts';
import type { Transaction, WriteResult } from '../outcomes.ts';
import { WriteVerbs } from '../write-verbs.ts';
import { EtcdCallError, toStoreError } from './call-error.ts';
import type { EtcdClient } from './client.ts';
import type { Cluster } from './cluster.ts';
import { Epoch } from './epoch.ts';
import { Journal } from './journal.ts';
import type { KeySpace } from './key-space.ts';
import { LeasePool } from './lease-pool.ts';
import { Lineage } from './lineage.ts';
import { rangePages, type Access } from './range-pages.ts';
import { Reader } from './reader.ts';
import { FateResolver } from './resolve-unknown.ts';
import { CAUTIOUS, featuresOf, limitationsOf, type EtcdFeatures } from './version.ts';
import { WatchLoop } from './watch-loop.ts';
import type { Alarm } from './wire.ts';
import { Writer } from './writer.ts';

const STATUS_TIMEOUT_MS = 2_000;
const HEALTH_TIMEOUT_MS = 2_000;
/** Compaction is answered before its work is done, but waits for its turn. */
const COMPACT_TIMEOUT_MS = 30_000;

interface EtcdStoreParts {
  cluster: Cluster;
  keys: KeySpace;
  /** For a thread that reads by itself. */
  access: Omit<Access, 'endpoints'>;
  clock: Clock;
  random: () => number;
  /** What all members could be trusted with at start. */
  features: EtcdFeatures;
}

/** The Store on an etcd cluster, shared by any number of servers. */
export class EtcdStore extends WriteVerbs implements Store {
  readonly maxValueBytes = undefined;
  readonly #parts: EtcdStoreParts;
  readonly #lineage = new Lineage();
  readonly #reader: Reader;
  readonly #pages: PagesAhead;
  readonly #writer: Writer;
  readonly #fates: FateResolver;
  readonly #watches = new Set<WatchLoop>();
  #closed = false;

  constructor(parts: EtcdStoreParts) {
    super();
    this.#parts = parts;
    const { cluster, keys, access, clock } = parts;
    const lineage = this.#lineage;
    const journal = new Journal(keys, cluster, clock);
    const epoch = new Epoch();
    const leases = new LeasePool(cluster, clock);
    this.#reader = new Reader(cluster, keys, lineage);
    this.#pages = rangePages(this.#reader, () => {
      const { clusterId = 0n } = lineage;
      return { ...access, endpoints: cluster.endpoints, clusterId };
    });
    this.#fates = new FateResolver({ cluster, keys, journal, epoch, lineage, clock });
    const fates = this.#fates;
    this.#writer = new Writer({ cluster, keys, journal, epoch, lineage, leases, fates });
  }

  get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    return this.#open(() => this.#reader.get(key, options));
  }

  list(options: ListOptions): Promise<ListResult> {
    return this.#open(() => this.#pages.list(options));
  }

  watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    return {
      [Symbol.asyncIterator]: () => {
        const { cluster, keys, clock, random } = this.#parts;
        const loop = new WatchLoop(
          {
            cluster,
            keys,
            clock,
            random,
            lineage: this.#lineage,
            featuresOf: (client) => this.#featuresOf(client),
            onClosed: (closed) => void this.#watches.delete(closed),
          },
          options,
        );
        if (this.#closed) loop.fail(closedError());
        else this.#watches.add(loop);
        return loop;
      },
    };
  }

  currentRevision(options: CallOptions = {}): Promise<Revision> {
    return this.#open(() => this.#reader.currentRevision(options));
  }

  requestProgress(): Promise<boolean> {
    let safe = true;
    for (const watch of this.#watches) {
      safe = (watch.requestProgress() ?? this.#parts.features.safeProgress) && safe;
    }
    return Promise.resolve(safe && (this.#watches.size > 0 || this.#parts.features.safeProgress));
  }

  async compact(revision: Revision, { signal }: CallOptions = {}): Promise<void> {
    const request = { revision };
    const limits = { timeoutMs: COMPACT_TIMEOUT_MS, signal };
    try {
      // Repeating it is harmless: the second time finds the work done.
      await this.#open(() => this.#parts.cluster.read('compact', request, limits));
    } catch (error) {
      const done = error instanceof EtcdCallError && error.failure === 'compacted';
      if (!done) throw toStoreError(error);
    }
  }

  async checkHealth(options: CallOptions = {}): Promise<StoreHealth> {
    await this.currentRevision(options);
    let alarms: readonly Alarm[] = [];
    try {
      ({ alarms } = await this.#parts.cluster.read('alarms', undefined, {
        timeoutMs: HEALTH_TIMEOUT_MS,
        signal: options.signal,
      }));
    } catch (error) {
      const reported = toStoreError(error);
      // Not every user may see alarms; the read above has told what can be told.
      if (!isStoreError(reported, 'denied')) throw reported;
    }
    if (alarms.includes('corrupt')) throw new StoreError('corrupt', 'etcd: a member is corrupt');
    const isFull = alarms.includes('noSpace');
    return {
      writesRefused: isFull ? 'etcd: the space quota is exhausted (alarm NOSPACE)' : undefined,
    };
  }

  async describe({ signal }: CallOptions = {}): Promise<StoreDescription> {
    const { cluster, features } = this.#parts;
    let sizeBytes = 0;
    try {
      const limits = { timeoutMs: STATUS_TIMEOUT_MS, signal };
      ({ sizeBytes } = await cluster.read('status', undefined, limits));
    } catch (error) {
      const reported = toStoreError(error);
      if (!isStoreError(reported, 'denied')) throw reported;
    }
    const limitations = limitationsOf(features);
    return { kind: 'etcd', version: features.version, sizeBytes, limitations };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const watch of [...this.#watches]) watch.fail(closedError());
    this.#fates.close();
    this.#parts.cluster.close();
    await this.#pages.close();
  }

  async #featuresOf(client: EtcdClient): Promise<EtcdFeatures> {
    try {
      const { version } = await this.#parts.cluster.status(client, STATUS_TIMEOUT_MS);
      return featuresOf(version, client.endpoint);
    } catch (error) {
      if (error instanceof EtcdCallError && isStoreError(toStoreError(error), 'denied')) {
        return CAUTIOUS;
      }
      throw error;
    }
  }

  protected override write(transaction: Transaction, options: WriteOptions): Promise<WriteResult> {
    return this.#open(() => this.#writer.write(transaction, options));
  }

  async #open<T>(action: () => Promise<T>): Promise<T> {
    if (this.#closed) throw closedError();
    return action();
  }
}
