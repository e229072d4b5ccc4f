import type { CancelSignal } from '../../api/cancel-signal.ts';
import { NO_REVISION, nextRevision, type Revision } from '../../api/revision.ts';
import { StoreError } from '../../storage/errors.ts';
import type {
  BatchOperation,
  BatchOutcome,
  CreateOptions,
  CreateOutcome,
  DeleteOutcome,
  GetResult,
  Guard,
  ListOptions,
  ListResult,
  ReadOptions,
  Store,
  StoreDescription,
  StoreHealth,
  StoredItem,
  StoreEvent,
  UpdateOutcome,
  WatchBatch,
  WatchOptions,
} from '../../storage/interface.ts';

/** So small that a full read needs several pages. */
const PAGE = 3;

/**
 * The plainest Store there can be: the whole log in an array, every read a
 * replay of it. Slow and obvious, so that it can serve as the model in tests of
 * whatever stands on a Store.
 */
export class MemoryStore implements Store {
  readonly maxValueBytes = undefined;
  readonly log: StoreEvent[] = [];
  #revision: Revision = NO_REVISION;
  #compacted: Revision = NO_REVISION;
  #wake = new Set<() => void>();
  /** Called before every answer of currentRevision: tests delay or fail it. */
  beforeProbe: () => Promise<void> = () => Promise.resolve();
  /** Called before a watch delivers a batch. */
  beforeDelivery: () => Promise<void> = () => Promise.resolve();
  canTellProgress = true;
  /** Items of a page whose size the store decides. */
  pageSize = PAGE;
  /** Grows with every backup that is put in the place of the log. */
  #lineage = 0;
  #progressAsked = 0;
  #onRetry = (): void => undefined;

  get revision(): Revision {
    return this.#revision;
  }

  /** A transaction outside the registry's prefix: the revision moves, no event is seen. */
  foreignWrite(): void {
    this.#revision = nextRevision(this.#revision);
  }

  stateAt(revision: Revision): Map<string, StoredItem> {
    const state = new Map<string, StoredItem>();
    for (const event of this.log) {
      if (event.revision > revision) break;
      if (event.type === 'delete') state.delete(event.key);
      else state.set(event.key, { key: event.key, value: event.value, revision: event.revision });
    }
    return new Map([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  get(key: string, { revision }: ReadOptions = {}): Promise<GetResult> {
    const at = this.#readable(revision);
    const item = this.stateAt(at).get(key);
    return Promise.resolve({ revision: at, ...(item === undefined ? {} : { item }) });
  }

  list({
    prefix,
    after,
    upTo,
    limit,
    revision,
    count,
    keysOnly,
  }: ListOptions): Promise<ListResult> {
    const at = this.#readable(revision);
    const all = [...this.stateAt(at).values()].filter(
      ({ key }) =>
        key.startsWith(prefix) &&
        (after === undefined || key > after) &&
        (upTo === undefined || key <= upTo),
    );
    const page = limit === undefined ? all : all.slice(0, limit === 'page' ? this.pageSize : limit);
    const items =
      keysOnly === true ? page.map((item) => ({ ...item, value: Buffer.alloc(0) })) : page;
    return Promise.resolve({
      revision: at,
      items,
      more: items.length < all.length,
      ...(count === true ? { count: all.length } : {}),
    });
  }

  async create(
    key: string,
    value: Uint8Array,
    { guards = [], updates = [] }: CreateOptions = {},
  ): Promise<CreateOutcome> {
    if (guards.length > 0) {
      const state = this.stateAt(this.#revision);
      const holds = ({ key, revision }: Guard): boolean => state.get(key)?.revision === revision;
      const guard = guards.find((one) => !holds(one));
      if (guard !== undefined && !state.has(key)) return { outcome: 'guarded', guard };
    }
    const outcome = await this.batch([
      { op: 'create', key, value },
      ...updates.map((update) => ({ op: 'update' as const, ...update })),
    ]);
    if (outcome.outcome === 'ok') return outcome;
    if (outcome.key !== key) return { outcome: 'outdated' };
    return { outcome: 'exists', current: outcome.current! };
  }

  async update(key: string, value: Uint8Array, expected: Revision): Promise<UpdateOutcome> {
    return this.#change({ op: 'update', key, value, expected });
  }

  async delete(key: string, expected: Revision): Promise<DeleteOutcome> {
    return this.#change({ op: 'delete', key, expected });
  }

  batch(operations: readonly BatchOperation[]): Promise<BatchOutcome> {
    const state = this.stateAt(this.#revision);
    for (const operation of operations) {
      const current = state.get(operation.key);
      const expected = operation.op === 'create' ? undefined : operation.expected;
      if (current?.revision !== expected) {
        return Promise.resolve({
          outcome: 'conflict',
          key: operation.key,
          ...(current === undefined ? {} : { current }),
        });
      }
    }
    this.#revision = nextRevision(this.#revision);
    for (const operation of operations) this.#append(operation, state.get(operation.key));
    for (const wake of [...this.#wake]) wake();
    return Promise.resolve({ outcome: 'ok', revision: this.#revision });
  }

  /** As if a backup of this revision had been restored: what came after it never was. */
  restore(revision: Revision): void {
    const after = this.log.findIndex((event) => event.revision > revision);
    if (after >= 0) this.log.length = after;
    this.#revision = revision;
    this.#lineage++;
    for (const wake of [...this.#wake]) wake();
  }

  /** As if a watch had failed and were opened again. */
  retry(): void {
    this.#onRetry();
  }

  async *watch({ prefix, from, signal, onRetry }: WatchOptions): AsyncIterable<WatchBatch> {
    this.#onRetry = onRetry ?? this.#onRetry;
    let next = from;
    let told = this.#progressAsked;
    const lineage = this.#lineage;
    for (;;) {
      if (signal?.aborted === true) return;
      if (lineage !== this.#lineage) throw new StoreError('reset', 'another history');
      if (next <= this.#compacted) {
        throw new StoreError('compacted', 'compacted', { compactRevision: this.#compacted });
      }
      const events = this.log.filter((e) => e.revision >= next && e.key.startsWith(prefix));
      const revision = events.at(-1)?.revision;
      if (revision !== undefined) {
        await this.beforeDelivery();
        next = nextRevision(revision);
        yield { revision, events };
      } else if (told < this.#progressAsked) {
        told = this.#progressAsked;
        yield { revision: this.#revision, events: [] };
      } else await this.#wakeUp(signal);
    }
  }

  async currentRevision(): Promise<Revision> {
    await this.beforeProbe();
    return this.#revision;
  }

  requestProgress(): Promise<boolean> {
    if (!this.canTellProgress) return Promise.resolve(false);
    this.#progressAsked++;
    for (const wake of [...this.#wake]) wake();
    return Promise.resolve(true);
  }

  compact(revision: Revision): Promise<void> {
    this.#compacted = revision;
    for (const wake of [...this.#wake]) wake();
    return Promise.resolve();
  }

  checkHealth(): Promise<StoreHealth> {
    return Promise.resolve({ writesRefused: undefined });
  }

  describe(): Promise<StoreDescription> {
    return Promise.resolve({ kind: 'memory', version: '1', sizeBytes: 0, limitations: [] });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #change(operation: BatchOperation): Promise<UpdateOutcome> {
    const outcome = await this.batch([operation]);
    if (outcome.outcome === 'ok') return outcome;
    return outcome.current === undefined
      ? { outcome: 'missing' }
      : { outcome: 'conflict', current: outcome.current };
  }

  #append(operation: BatchOperation, previous: StoredItem | undefined): void {
    const revision = this.#revision;
    const { key } = operation;
    const shared = { key, revision, ...(previous === undefined ? {} : { previous }) };
    if (operation.op === 'delete') this.log.push({ ...shared, type: 'delete' });
    else {
      const value = Buffer.from(operation.value);
      this.log.push({ ...shared, type: 'put', value, created: previous === undefined });
    }
  }

  #readable(revision: Revision | undefined): Revision {
    if (revision === undefined) return this.#revision;
    if (revision > this.#revision) throw new StoreError('futureRevision', 'future revision');
    if (revision < this.#compacted) throw new StoreError('compacted', 'compacted');
    return revision;
  }

  #wakeUp(signal?: CancelSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.#wake.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}
