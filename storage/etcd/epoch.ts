import { NO_REVISION, type Revision } from '../../api/revision.ts';

/**
 * The epoch that writes are sent in: the revision at which the epoch key was
 * last written. Every write is conditional on it, so once the key has been
 * written again, no write that was sent before can ever land, however long it
 * has been held up on the way. That is what makes reading back final.
 *
 * All servers on one etcd share the key. When one server raises it, writes of the
 * others fail their condition once; they learn the new epoch from the refusal
 * and send again, which is safe because a refused write was not executed.
 */
export class Epoch {
  #revision: Revision = NO_REVISION;

  get revision(): Revision {
    return this.#revision;
  }

  /** As read from etcd; an epoch from a restored backup may be lower than the one before. */
  adopt(revision: Revision): void {
    this.#revision = revision;
  }
}
