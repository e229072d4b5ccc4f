import type { Revision } from '../api/revision.ts';
import type { Store } from '../storage/interface.ts';
import type { Caller } from './caller.ts';
import type { Replica } from './replica.ts';

/** A replica that is behind a probe for this long is asked to hurry, when the store can be asked. */
const PROGRESS_AFTER_MS = 20;
/** After this the read gives up on the replica (the caller reads the store or answers 504). */
const CATCH_UP_MS = 3_000;
/** Where the store cannot tell progress, other writers may hold the replica back: give up sooner. */
const CATCH_UP_WITHOUT_PROGRESS_MS = 200;

/**
 * Makes reads linearizable at the price of one shared round trip: a read needs a
 * revision at least as new as its arrival. One probe is in flight at a time; a
 * read may only join a probe that has not been sent yet, otherwise it could be
 * shown a state older than a write that was answered before it arrived.
 */
export class Freshness {
  readonly #store: Store;
  readonly #replica: Replica;
  #current: Promise<Revision> | undefined;
  #next: Promise<Revision> | undefined;
  #progressAsked: Promise<boolean> | undefined;
  /** Whether the store can be asked for progress; where it cannot, other writers may hold the replica back. */
  progressIsSafe = true;
  /** Probes sent and reads served, for metrics. */
  readonly counters = { probes: 0, reads: 0, behind: 0 };

  constructor(store: Store, replica: Replica) {
    this.#store = store;
    this.#replica = replica;
  }

  /**
   * Waits until the replica shows everything that was written before the call.
   * `caughtUp` is false when it did not get there in time.
   *
   * @throws StoreError when the store cannot be asked
   */
  async fresh(caller: Caller = {}): Promise<{ revision: Revision; caughtUp: boolean }> {
    this.counters.reads++;
    const revision = await this.#probe();
    if (this.#replica.ready && this.#replica.revision >= revision) {
      return { revision, caughtUp: true };
    }
    this.counters.behind++;
    return { revision, caughtUp: await this.catchUp(revision, caller.signal) };
  }

  /**
   * The replica shows everything that was written before the call, and that can be
   * told at once: {@link fresh} need not be called.
   */
  isFreshNow(): boolean {
    const newest = this.#store.newestRevision?.();
    if (newest === undefined || !this.#replica.ready || this.#replica.revision < newest) {
      return false;
    }
    this.counters.reads++;
    return true;
  }

  /** Waits for a revision that exists; asks the store for progress when the wait gets long. */
  async catchUp(revision: Revision, signal?: AbortSignal): Promise<boolean> {
    if (await this.#replica.waitFor(revision, PROGRESS_AFTER_MS, signal)) return true;
    this.progressIsSafe = await this.#askProgress();
    const patience = this.progressIsSafe ? CATCH_UP_MS : CATCH_UP_WITHOUT_PROGRESS_MS;
    return this.#replica.waitFor(revision, patience, signal);
  }

  #probe(): Promise<Revision> {
    if (this.#current === undefined) {
      this.#current = this.#send();
      return this.#current;
    }
    // The probe in flight may have been answered already by the store; wait for the one after it.
    this.#next ??= this.#current.then(
      () => this.#promote(),
      () => this.#promote(),
    );
    return this.#next;
  }

  #promote(): Promise<Revision> {
    this.#next = undefined;
    this.#current = this.#send();
    return this.#current;
  }

  async #send(): Promise<Revision> {
    this.counters.probes++;
    try {
      return await this.#store.currentRevision();
    } finally {
      if (this.#next === undefined) this.#current = undefined;
    }
  }

  async #askProgress(): Promise<boolean> {
    this.#progressAsked ??= this.#store.requestProgress().finally(() => {
      this.#progressAsked = undefined;
    });
    return this.#progressAsked;
  }
}
