import { NO_REVISION, revisionOf, type Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import type { ResponseHeader } from './wire.ts';

/**
 * Notices that etcd shows another history than before: another cluster answers,
 * or a linearizable answer is older than one seen before the question was asked
 * (a restored backup, etcd issue 17780, or a stale read, etcd issue 20418).
 * Everything built on the old history must reload.
 */
export class Lineage {
  #clusterId: bigint | undefined;
  #highest: Revision = NO_REVISION;
  readonly #listeners = new Set<(error: StoreError) => void>();

  /** The newest revision that any answer has shown. */
  get highest(): Revision {
    return this.#highest;
  }

  /** The cluster that answers; undefined before the first answer. */
  get clusterId(): bigint | undefined {
    return this.#clusterId;
  }

  /**
   * Takes note of the header of a linearizable answer. `floor` is the highest
   * revision that was known when the question was sent: answers overtake each
   * other, so the highest of now would accuse an honest one.
   *
   * @throws StoreError `reset`; from then on the new history is the one to be kept
   */
  observe(header: ResponseHeader, floor: Revision): Revision {
    const revision = revisionOf(header.revision);
    const known = this.#clusterId;
    if (known !== undefined && known !== header.clusterId) {
      throw this.reset(
        `cluster ${header.clusterId} answers where cluster ${known} did`,
        header.clusterId,
        revision,
      );
    }
    this.#clusterId = header.clusterId;
    if (revision < floor) {
      throw this.reset(
        `etcd went back from revision ${floor} to ${revision}`,
        header.clusterId,
        revision,
      );
    }
    if (revision > this.#highest) this.#highest = revision;
    return revision;
  }

  /** True when the header comes from the cluster that is known; for answers that are not linearizable. */
  isKnownCluster(header: ResponseHeader): boolean {
    return this.#clusterId === undefined || this.#clusterId === header.clusterId;
  }

  /** Declares the history before void, and tells everyone who listens. */
  reset(reason: string, clusterId = this.#clusterId, revision: Revision = NO_REVISION): StoreError {
    this.#clusterId = clusterId;
    this.#highest = revision;
    const error = new StoreError('reset', reason);
    for (const listener of [...this.#listeners]) listener(error);
    return error;
  }

  /** Calls back at the next reset; the returned function cancels. */
  onReset(listener: (error: StoreError) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
