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
 * that compaction catches up with, in silence. It did not happen as long as the
 * revision before the last check can still be read after the events since have
 * arrived; otherwise it might have, and the watch ends as `compacted`.
 */
export class OvertakenCheck {
  readonly #clock: Clock;
  #from: Revision;
  #nextAt: number;

  constructor(clock: Clock, from: Revision, behind: boolean) {
    this.#clock = clock;
    this.#from = from;
    // A watcher that begins with the next event never reads history, so it cannot miss any.
    this.#nextAt = clock.monotonic() + (behind ? 0 : INTERVAL_MS);
  }

  due({ events }: CompleteResponse): boolean {
    return events.length > 0 && this.#clock.monotonic() >= this.#nextAt;
  }

  /** `next` is the revision that the watch will go on with behind the held response. */
  async run(
    parts: { cluster: Cluster; keys: KeySpace; lineage: Lineage },
    next: Revision,
  ): Promise<void> {
    const last = (this.#from - 1n) as Revision;
    const compacted = last > 0n && (await checkContinuity(parts, last, undefined)) === 'compacted';
    if (compacted) {
      throw new EtcdCallError('compacted', 'compaction may have overtaken the watch');
    }
    this.#from = next;
    this.#nextAt = this.#clock.monotonic() + INTERVAL_MS;
  }
}
