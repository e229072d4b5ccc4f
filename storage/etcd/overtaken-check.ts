import type { Clock } from '../../api/clock.ts';
import type { Revision } from '../../api/revision.ts';
import { EtcdCallError } from './call-error.ts';
import type { Cluster } from './cluster.ts';
import { checkContinuity } from './continuity.ts';
import type { KeySpace } from './key-space.ts';
import type { Lineage } from './lineage.ts';
import type { CompleteResponse } from './watch-stream.ts';

/** How often a watch on an etcd with unsafe compaction makes sure that it was not overtaken. */
const INTERVAL_MS = 1_000;

/**
 * On an etcd with unsafe compaction a watcher that is behind may lose events
 * that compaction catches up with, in silence. Either of two facts shows that
 * none was lost since the last check:
 * - The revision before the last check can still be read: compaction has not
 *   come so far.
 * - Each revision since then has arrived. The registry writes one key in a
 *   revision, so a lost event is a missing number. Other programs that write to
 *   the same etcd leave gaps, too.
 *
 * Otherwise an event might be lost, and the watch ends as `compacted`.
 */
export class OvertakenCheck {
  readonly #clock: Clock;
  #from: Revision;
  #nextAt: number;
  /** The newest revision that arrived, and whether each one since the last check did. */
  #arrived: bigint;
  #isUnbroken = true;

  constructor(clock: Clock, from: Revision, behind: boolean) {
    this.#clock = clock;
    this.#from = from;
    this.#arrived = from - 1n;
    // A watcher that begins with the next event never reads history, so it cannot miss any.
    this.#nextAt = clock.monotonic() + (behind ? 0 : INTERVAL_MS);
  }

  /** To be asked once for each response, in their order. */
  due({ events }: CompleteResponse): boolean {
    for (const { kv } of events) {
      if (kv.modRevision <= this.#arrived) continue;
      this.#isUnbroken &&= kv.modRevision === this.#arrived + 1n;
      this.#arrived = kv.modRevision;
    }
    return events.length > 0 && this.#clock.monotonic() >= this.#nextAt;
  }

  /** `next` is the revision that the watch will go on with behind the held response. */
  async run(
    parts: { cluster: Cluster; keys: KeySpace; lineage: Lineage },
    next: Revision,
  ): Promise<void> {
    const last = (this.#from - 1n) as Revision;
    const compacted = last > 0n && (await checkContinuity(parts, last, undefined)) === 'compacted';
    if (compacted && !this.#isUnbroken) {
      throw new EtcdCallError('compacted', 'compaction may have overtaken the watch');
    }
    this.#from = next;
    this.#isUnbroken = true;
    this.#nextAt = this.#clock.monotonic() + INTERVAL_MS;
  }
}
