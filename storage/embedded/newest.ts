import type { Revision } from '../../api/revision.ts';

/**
 * The newest revision that a caller has been told: of the last durable commit, or
 * of a read. LMDB shows a commit to reads some moments before this process is
 * told that it is durable; what one reader was shown is no longer unknown to the
 * others.
 */
export class Newest {
  #revision: Revision;

  constructor(revision: Revision) {
    this.#revision = revision;
  }

  get revision(): Revision {
    return this.#revision;
  }

  readonly told = (revision: Revision): void => {
    if (revision > this.#revision) this.#revision = revision;
  };
}
