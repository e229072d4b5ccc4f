import { sleep, type Clock } from '../../api/clock.ts';
import { nextRevision, type Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import { EtcdCallError } from './call-error.ts';
import type { Cluster } from './cluster.ts';
import type { Epoch } from './epoch.ts';
import type { Journal, Mark } from './journal.ts';
import type { KeySpace } from './key-space.ts';
import type { Lineage } from './lineage.ts';

/** How long etcd is asked for the fate of a write before that stays unknown. */
const RESOLVE_TIMEOUT_MS = 15_000;
const PAUSE_MS = 200;

interface Doubt {
  readonly mark: Mark;
  /** A revision that was there before the write was sent. */
  readonly since: Revision;
  settle(fate: Revision | undefined): void;
  fail(error: unknown): void;
}

interface FateParts {
  cluster: Cluster;
  keys: KeySpace;
  journal: Journal;
  epoch: Epoch;
  lineage: Lineage;
  clock: Clock;
}

/**
 * Finds out what became of a write whose answer was lost. The connection broke
 * or time ran out, and the write may have been executed, may be executed any
 * moment, or never.
 *
 * 1. Raise the epoch. The write was sent in the epoch before and is conditional
 *    on it: from the moment the new epoch is written, at revision E, it either
 *    has been executed (below E) or never will be. Nothing may be concluded
 *    without this: a member that was paused or cut off can hold a write for
 *    long, and execute it after a reader has looked and found nothing.
 * 2. Read the history from the revision before the write was sent up to E. The
 *    mark of the write is there if and only if it was executed. So the answer is
 *    the same for create, update, delete and batch, no matter what others have
 *    done to the keys since, and no matter whether they wrote the same bytes.
 *
 * A write that was not executed may be sent again in the new epoch: it is a
 * first time. If the history has been compacted, or etcd stays away, the
 * outcome stays unknown, and the caller is told so (`timeout`).
 *
 * Raising the epoch may itself be repeated: it only ever keeps old writes out.
 * A connection that breaks loses all the writes on it at once; they share one
 * round, and a write may only join a round that has not begun.
 */
export class FateResolver {
  readonly #parts: FateParts;
  #waiting: Doubt[] = [];
  #running = false;
  #closed = false;

  constructor(parts: FateParts) {
    this.#parts = parts;
  }

  /**
   * The revision at which the write was executed; undefined when it was not and
   * never will be.
   *
   * @throws StoreError `timeout` when that cannot be found out, `reset`
   */
  resolve(mark: Mark, since: Revision): Promise<Revision | undefined> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ mark, since, settle, fail });
      // The other writes of the broken connection report in the same turn of the loop.
      if (!this.#running) setImmediate(() => void this.#run());
      this.#running = true;
    });
  }

  close(): void {
    this.#closed = true;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const doubts = this.#waiting;
      this.#waiting = [];
      try {
        const found = await this.#round(doubts);
        for (const doubt of doubts) doubt.settle(found.get(doubt.mark));
      } catch (error) {
        for (const doubt of doubts) doubt.fail(error);
      }
    }
    this.#running = false;
  }

  async #round(doubts: readonly Doubt[]): Promise<Map<Mark, Revision>> {
    const { clock, journal } = this.#parts;
    const deadline = clock.monotonic() + RESOLVE_TIMEOUT_MS;
    let since = doubts[0]?.since ?? this.#parts.lineage.highest;
    for (const doubt of doubts) if (doubt.since < since) since = doubt.since;
    const marks = doubts.map(({ mark }) => mark);
    let raised: Revision | undefined;
    for (;;) {
      const left = deadline - clock.monotonic();
      try {
        raised ??= await this.#raiseEpoch(since, Math.max(left, 1));
        const range = { from: nextRevision(since), until: raised };
        return await journal.scan(marks, range, Math.max(left, 1));
      } catch (error) {
        if (!(error instanceof EtcdCallError)) throw error;
        const again = error.failure === 'lost' || error.failure === 'refused';
        if (!again || this.#closed || left < PAUSE_MS) {
          throw new StoreError('timeout', 'the outcome of the write is unknown', {
            cause: error,
          });
        }
        await sleep(clock, PAUSE_MS);
      }
    }
  }

  async #raiseEpoch(since: Revision, timeoutMs: number): Promise<Revision> {
    const { cluster, keys, journal, epoch, lineage } = this.#parts;
    const { value } = journal.nextSignature();
    const success = [{ put: { key: keys.epoch, value } }, { put: { key: keys.author, value } }];
    const request = { conditions: [], success, failure: [] };
    const { header } = await cluster.read('txn', request, { timeoutMs });
    const raised = lineage.observe(header, since);
    epoch.adopt(raised);
    return raised;
  }
}
