import assert from 'node:assert/strict';
import { nextRevision, type Revision } from '../../api/revision.ts';
import { isStoreError, type StoreErrorCode } from '../../storage/errors.ts';
import type {
  Store,
  StoreEvent,
  UpdateOutcome,
  WatchBatch,
  WatchOptions,
} from '../../storage/interface.ts';

/** A store under test, and what can be done to it. */
export interface StoreHarness {
  readonly store: Store;
  /** Ends the process that holds the data with kill -9 and brings it back; the store stays open. */
  restart?(): Promise<void>;
  /** Breaks all connections between the store and its data. */
  killConnections?(): void;
  close(): Promise<void>;
}

export interface StoreContract {
  readonly name: string;
  open(): Promise<StoreHarness>;
}

let prefixes = 0;

/** A prefix that no other test writes under. */
export function ownPrefix(): string {
  return `test${++prefixes}/`;
}

export function bytes(text: string): Buffer {
  return Buffer.from(text);
}

/** The revision of a write that has to succeed. */
export function done(outcome: { outcome: string; revision?: Revision }): Revision {
  assert.equal(outcome.outcome, 'ok');
  return outcome.revision!;
}

export async function create(store: Store, key: string, text = key): Promise<Revision> {
  return done(await store.create(key, bytes(text)));
}

export async function rejectsWith(
  promise: Promise<unknown>,
  ...codes: StoreErrorCode[]
): Promise<Error> {
  let error: unknown;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(
    isStoreError(error),
    `expected a StoreError ${codes.join(' or ')}, got ${String(error)}`,
  );
  assert.ok(
    codes.includes(error.code),
    `expected ${codes.join(' or ')}, got ${error.code}: ${error.message}`,
  );
  return error;
}

/** Shorter than mocha's own limit (.mocharc.json), so that a failure names its condition. */
const PATIENCE_MS = 240_000;

/** Polls a condition; a test waits on conditions, never on time. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; ;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A watch that says nothing for so long while a test waits has stopped. */
const STALLED_MS = 120_000;
/** Stores one of whose watches has stopped: what waits for them next fails at once. */
const stalled = new WeakSet<Store>();

/** Reads a watch and checks what holds for every one: order, no repetition, complete revisions. */
export class WatchReader {
  readonly events: StoreEvent[] = [];
  readonly batches: WatchBatch[] = [];
  revision: Revision;
  readonly #store: Store;
  readonly #iterator: AsyncIterator<WatchBatch>;

  constructor(
    store: Store,
    prefix: string,
    from: Revision,
    options: Pick<WatchOptions, 'signal' | 'previous'> = {},
  ) {
    this.revision = (from - 1n) as Revision;
    this.#store = store;
    this.#iterator = store.watch({ prefix, from, ...options })[Symbol.asyncIterator]();
  }

  /** The next batch, or undefined at the end. */
  async next(): Promise<WatchBatch | undefined> {
    const result = await this.#patiently(this.#iterator.next());
    if (result.done === true) return undefined;
    const batch: WatchBatch = result.value;
    let last = this.revision;
    const seen = new Set<string>();
    for (const { key, revision } of batch.events) {
      assert.ok(
        revision > this.revision,
        `revision ${revision} after ${this.revision} was complete`,
      );
      assert.ok(revision >= last, `revision ${revision} after ${last}`);
      assert.ok(!seen.has(`${revision}/${key}`), `${key} twice at ${revision}`);
      seen.add(`${revision}/${key}`);
      last = revision;
    }
    assert.ok(batch.revision >= last, 'a batch covers its events');
    this.revision = batch.revision;
    this.events.push(...batch.events);
    this.batches.push(batch);
    return batch;
  }

  #patiently<T>(next: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        stalled.add(this.#store);
        reject(new Error(`nothing came behind revision ${this.revision}`));
      };
      const timer = setTimeout(giveUp, stalled.has(this.#store) ? 0 : STALLED_MS).unref();
      next.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** Reads until this many events have come in all. */
  async until(count: number): Promise<StoreEvent[]> {
    while (this.events.length < count) {
      assert.ok((await this.next()) !== undefined, 'the watch ended');
    }
    return this.events;
  }

  async untilRevision(revision: Revision): Promise<StoreEvent[]> {
    while (this.revision < revision) {
      assert.ok((await this.next()) !== undefined, 'the watch ended');
    }
    return this.events;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}

/** Writes so that something happens after `revision`, where a watch has to notice. */
export async function following(store: Store): Promise<Revision> {
  return nextRevision(await store.currentRevision());
}

export function conflictValue(outcome: UpdateOutcome): string | undefined {
  return outcome.outcome === 'conflict' ? outcome.current.value.toString() : undefined;
}

/** Clients that create objects of their own all the time, and what they were told of each. */
export class Creations {
  readonly prefix: string;
  /** Revision of each create that was answered. */
  readonly made = new Map<string, Revision>();
  /** Creates that nothing was told of. */
  unknown = 0;
  #count = 0;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  async go(store: Store, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const key = `${this.prefix}${this.#count++}`;
      let outcome;
      try {
        outcome = await store.create(key, bytes(`of ${key}`), { unique: true });
      } catch {
        this.unknown++;
        continue;
      }
      assert.equal(
        outcome.outcome,
        'ok',
        `${key} was created by its own create, which does not know`,
      );
      this.made.set(key, done(outcome));
    }
  }

  /** Each create has happened once, at the revision that was told. `events`: from before the first one. */
  async check(store: Store, events: WatchReader): Promise<void> {
    const { items } = await store.list({ prefix: this.prefix });
    const stored = new Map(items.map(({ key, revision }) => [key, revision]));
    for (const [key, revision] of this.made) assert.equal(stored.get(key), revision, key);
    assert.ok(stored.size <= this.made.size + this.unknown);
    const seen = await events.until(stored.size);
    assert.deepEqual(new Map(seen.map(({ key, revision }) => [key, revision])), stored);
  }
}
