import type { Clock } from '../api/clock.ts';
import { maxRevision, nextRevision, type Revision } from '../api/revision.ts';
import { isStoreError } from '../storage/errors.ts';
import type { Store } from '../storage/interface.ts';
import { keepAsking } from './keep-asking.ts';

/** How far back a fresh replica reads the log, so that clients of the server before it can resume. */
const PREFILL_REVISIONS = 20_000n;
/** A store that is slow to show its history must not hold up the start. */
const PREFILL_PATIENCE_MS = 5_000;

/** Key of no resource; written to see the log move where a store cannot tell its progress. */
const TICK_KEY = '~tick';

/**
 * The first stretch of a replica's watch: it begins before the snapshot, so
 * that the history in memory covers what came before a restart. It is over when
 * the log has been followed up to the snapshot's revision.
 */
export class Prefill {
  readonly #store: Store;
  readonly #loadedAt: Revision;
  #from: Revision;
  #next: Revision;
  #done = false;
  #resolve: () => void = () => undefined;

  constructor(store: Store, loadedAt: Revision) {
    this.#store = store;
    this.#loadedAt = loadedAt;
    this.#from = maxRevision(1n as Revision, (loadedAt - PREFILL_REVISIONS) as Revision);
    this.#next = this.#from;
  }

  /** Where the watch begins, or goes on after an interruption. */
  get next(): Revision {
    return this.#next;
  }

  /** Every event after this revision has been seen; undefined when that is not so. */
  get floor(): Revision | undefined {
    return this.#done ? ((this.#from - 1n) as Revision) : undefined;
  }

  reached(revision: Revision): void {
    this.#next = nextRevision(revision);
    if (revision < this.#loadedAt) return;
    this.#done = true;
    this.#resolve();
  }

  /**
   * The log has been cut behind `from`: true when it pays to begin again later
   * in it. Where it is cut behind the snapshot, changes after the snapshot are
   * gone, and only a new one has them.
   */
  retry(error: unknown): boolean {
    if (this.#done || !isStoreError(error, 'compacted')) return false;
    const next = nextRevision(error.compactRevision ?? this.#loadedAt);
    if (next <= this.#next || next > nextRevision(this.#loadedAt)) return false;
    this.#from = next;
    this.#next = next;
    return true;
  }

  /** A newer snapshot replaced this one, so the history before it is no longer read. */
  abandon(): void {
    this.#done = false;
    this.#resolve();
  }

  /** Resolves when the log has been followed to the snapshot, or when that takes too long. */
  async finished(clock: Clock): Promise<void> {
    const finished = new Promise<void>((resolve) => (this.#resolve = resolve));
    const stopAsking = keepAsking(() => this.#ask(), clock);
    const cancelPatience = clock.after(PREFILL_PATIENCE_MS, this.#resolve);
    await finished;
    stopAsking();
    cancelPatience();
  }

  /** A quiet store shows nothing by itself: ask for progress, or make something happen. */
  async #ask(): Promise<void> {
    if (!(await this.#store.requestProgress())) await this.#tick();
  }

  async #tick(): Promise<void> {
    const value = Buffer.from('{}');
    const made = await this.#store.create(TICK_KEY, value);
    if (made.outcome === 'exists') {
      await this.#store.delete(TICK_KEY, made.current.revision);
    }
  }
}
