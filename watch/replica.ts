import { sleep, type Clock } from '../api/clock.ts';
import { NO_REVISION, nextRevision, type Revision } from '../api/revision.ts';
import { isStoreError, StoreError } from '../storage/errors.ts';
import type { Store, StoreEvent, WatchBatch } from '../storage/interface.ts';
import { splitKey } from '../storage/keys.ts';
import type { Collection } from './collection.ts';
import { Collections } from './collections.ts';
import { EntryMemory } from './entry-memory.ts';
import { DEFAULT_HISTORY_LIMITS, trimHistories, type HistoryLimits } from './history-limits.ts';
import { Listeners } from './listeners.ts';
import { loadRegistry, progressOf } from './load.ts';
import { pastEvent } from './past-event.ts';
import { Prefill } from './prefill.ts';
import type { ReloadReason, ReplicaOptions } from './replica-options.ts';
import { SharedEntries } from './shared-entries.ts';
import { RevisionWaiters } from './revision-waiters.ts';

const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;

/**
 * A complete copy of the registry in memory, fed by one watch over the whole
 * prefix from a snapshot at revision R: R+1, R+2, … A replica is never partly
 * ahead: at revision N it shows exactly what the store held at N.
 */
export class Replica {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #limits: HistoryLimits;
  readonly #newMemory: () => EntryMemory;
  readonly #onProblem: (message: string, error?: unknown) => void;
  readonly #onLoading: (objects: number) => void;
  readonly #stop = new AbortController();
  readonly #waiters: RevisionWaiters;
  readonly #batchListeners = new Listeners<ReadonlySet<Collection>>();
  readonly #reloadListeners = new Listeners<ReloadReason>();
  #memory: EntryMemory;
  #collections: Collections;
  #revision: Revision = NO_REVISION;
  #loadedAt: Revision = NO_REVISION;
  #prefill: Prefill | undefined;
  #sharedEntries = new SharedEntries();
  #loads = 0;
  #ready = false;
  #failingSince: number | undefined;
  /** Ends the watch under way when the state is not to be believed; a new one with every load. */
  #trust = new AbortController();
  #run: Promise<void> | undefined;

  constructor(options: ReplicaOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#limits = { ...DEFAULT_HISTORY_LIMITS, ...options.limits };
    this.#onProblem = options.onProblem ?? (() => undefined);
    this.#onLoading = options.onLoading ?? (() => undefined);
    this.#waiters = new RevisionWaiters(options.clock);
    this.#newMemory = () => new EntryMemory(options.slabBytes, options.indexLimits);
    this.#memory = this.#newMemory();
    this.#collections = new Collections(this.#memory, NO_REVISION);
  }

  /** Everything up to this revision is shown. */
  get revision(): Revision {
    return this.#revision;
  }
  /** False until the first load is done, and while a reload after a reset runs. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Monotonic time at which following the log failed; nothing has come since, so it may only be quiet. */
  get failingSince(): number | undefined {
    return this.#failingSince;
  }

  /** The collection of a resource; made empty when nothing of it exists. */
  collection(prefix: string): Collection {
    return this.#collections.of(prefix);
  }

  /** Is there a collection of it already? */
  hasCollection(prefix: string): boolean {
    return this.#collections.has(prefix);
  }

  /** What its objects share, and what the indexes of reads take; a new one after every load. */
  get memory(): EntryMemory {
    return this.#memory;
  }

  collections(): IterableIterator<Collection> {
    return this.#collections.values();
  }

  /**
   * Loads the registry and follows it until `stop()`. Resolves when the first
   * load is done; failures before that are retried, so it may wait for a store
   * that is not there yet.
   *
   * @throws StoreError `corrupt` when the store holds what cannot be read: waiting does not help
   */
  async start(): Promise<void> {
    let loaded = false;
    for (let delay = RETRY_MIN_MS; !loaded; delay = Math.min(delay * 2, RETRY_MAX_MS)) {
      try {
        await this.#load();
        loaded = true;
      } catch (error) {
        if (this.#stop.signal.aborted || isStoreError(error, 'corrupt')) throw error;
        this.#onProblem('loading the registry failed, trying again', error);
        await sleep(this.#clock, delay, this.#stop.signal);
      }
    }
    const prefill = (this.#prefill = new Prefill(this.#store, this.#loadedAt));
    this.#run = this.#follow();
    await prefill.finished(this.#clock);
    this.#endPrefill(prefill);
  }

  /** The present state is invalid, or may be: drops everything and reloads. */
  distrust(reason: StoreError): void {
    this.#ready = false;
    this.#trust.abort(reason);
  }

  /** From here on the history is complete back to where the prefill began. */
  #endPrefill(prefill: Prefill): void {
    this.#prefill = undefined;
    this.#sharedEntries = new SharedEntries();
    if (prefill.floor !== undefined) this.#collections.lowerFloor(prefill.floor);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new StoreError('cancelled', 'the replica has stopped'));
    this.#waiters.rejectAll(new StoreError('unavailable', 'the server is shutting down'));
    await this.#run;
  }

  /**
   * Resolves true once the replica shows `revision`, false when `timeoutMs` pass
   * before that.
   *
   * @throws StoreError `unavailable` when the replica stops, `cancelled` with the signal
   */
  waitFor(revision: Revision, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#ready && this.#revision >= revision) return Promise.resolve(true);
    return this.#waiters.wait(revision, timeoutMs, signal);
  }

  /** How often the whole state was put in place; collections from before the last time are dead. */
  get loads(): number {
    return this.#loads;
  }

  /** Called after every batch, with what it has changed: nothing when it told progress only. */
  onBatch(listener: (touched: ReadonlySet<Collection>) => void): () => void {
    return this.#batchListeners.add(listener);
  }

  /** Called when the whole state was replaced; collections got before are dead. */
  onReload(listener: (reason: ReloadReason) => void): () => void {
    return this.#reloadListeners.add(listener);
  }

  /** History begins at this revision, which must have been reached: no client has seen earlier ones. */
  beginHistoryAt(revision: Revision): void {
    this.#collections.raiseFloor(revision);
  }

  /**
   * Cuts old history and cached frames, and gives up memory; to be called about
   * every second. `isServed`: whether there is a resource with the prefix; where
   * there is none nothing is kept in the end. Absent: there always is.
   */
  trimHistory(isServed: (prefix: string) => boolean = () => true): void {
    if (this.#prefill !== undefined) return;
    this.#memory.indexes.tick();
    trimHistories([...this.collections()], this.#limits, this.#clock.monotonic());
    this.#collections.dropIdle(isServed, this.#revision);
    this.#memory.slabs.compact();
  }

  async #follow(): Promise<void> {
    let delay = RETRY_MIN_MS;
    const fails = (): number => (this.#failingSince ??= this.#clock.monotonic());
    while (!this.#stopped()) {
      try {
        const from = this.#prefill?.next ?? nextRevision(this.#revision);
        this.#trust.signal.throwIfAborted();
        const signal = AbortSignal.any([this.#stop.signal, this.#trust.signal]);
        // What later changes replace is in the state: the store need not read it.
        const previous = this.#prefill !== undefined;
        const options = { prefix: '', from, signal, onRetry: fails, previous };
        for await (const batch of this.#store.watch(options)) {
          this.#trust.signal.throwIfAborted();
          this.#apply(batch);
          delay = RETRY_MIN_MS;
          if (previous && this.#prefill === undefined) break;
        }
        if (previous && this.#prefill === undefined) continue;
      } catch (error) {
        if (this.#stopped()) return;
        fails();
        if (this.#trust.signal.aborted) await this.#recover(this.#trust.signal.reason);
        else if (this.#prefill?.retry(error) === true) continue;
        else await this.#recover(error);
      }
      await sleep(this.#clock, delay, this.#stop.signal).catch(() => undefined);
      delay = Math.min(delay * 2, RETRY_MAX_MS);
    }
  }

  #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #recover(error: unknown): Promise<void> {
    const reset = isStoreError(error, 'reset');
    const reason: ReloadReason = reset ? 'reset' : 'compacted';
    if (!reset && !isStoreError(error, 'compacted')) {
      this.#onProblem('following the registry failed, trying again', error);
      return;
    }
    this.#onProblem(`history is gone (${reason}): reloading the registry`, error);
    // What a reset replica shows is not the registry any more; a compacted one is only behind.
    if (reset) this.distrust(error);
    try {
      await this.#load();
      this.#reloadListeners.tell(reason);
    } catch (loadError) {
      this.#onProblem('loading the registry failed, trying again', loadError);
    }
  }

  /** Puts a complete state at one revision in place of the present one. */
  async #load(): Promise<void> {
    const memory = this.#newMemory();
    const { signal } = this.#stop;
    const onPage = progressOf(this.#clock, this.#onLoading);
    const { revision, collections } = await loadRegistry(this.#store, { memory, signal, onPage });
    this.#collections = new Collections(memory, revision, collections);
    this.#trust = new AbortController();
    this.#memory = memory;
    this.#loadedAt = revision;
    this.#loads++;
    this.#revision = revision;
    this.#prefill?.abandon();
    this.#prefill = undefined;
    this.#ready = true;
    this.#failingSince = undefined;
    this.#waiters.advance(revision);
  }

  /** Runs to completion without a pause, so that no reader sees half a revision. */
  #apply(batch: WatchBatch): void {
    const now = this.#clock.monotonic();
    this.#failingSince = undefined;
    if (batch.revision <= this.#loadedAt) {
      for (const event of batch.events) this.#remember(event, now);
      this.#prefill?.reached(batch.revision);
      return;
    }
    if (batch.revision < this.#revision) {
      throw new StoreError(
        'reset',
        `the log went backwards from ${this.#revision} to ${batch.revision}`,
      );
    }
    const touched = new Set<Collection>();
    for (const event of batch.events) {
      if (event.revision <= this.#loadedAt) this.#remember(event, now);
      else this.#applyEvent(event, now, touched, batch.checked);
    }
    this.#revision = batch.revision;
    this.#prefill?.reached(batch.revision);
    for (const collection of touched) collection.notify();
    this.#batchListeners.tell(touched);
    this.#waiters.advance(batch.revision);
  }

  #applyEvent(event: StoreEvent, now: number, touched: Set<Collection>, checked?: boolean): void {
    const at = splitKey(event.key);
    if (at === undefined || event.revision <= this.#revision) return;
    const collection = this.collection(at.prefix);
    if (event.type === 'delete') collection.remove(at.rest, event.revision, now);
    else collection.put(at.rest, event.value, event.revision, now, checked);
    touched.add(collection);
  }

  /** An event from before the snapshot: history only, the state shows it already. */
  #remember(event: StoreEvent, now: number): void {
    const at = splitKey(event.key);
    if (at === undefined || this.#prefill === undefined) return;
    const collection = this.collection(at.prefix);
    const { history } = collection;
    const past = pastEvent(event, at.rest, now, this.#sharedEntries.makerFor(collection));
    if (past === undefined) history.cutAt(event.revision);
    else history.append(past);
  }
}
