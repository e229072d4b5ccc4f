import type { Revision } from '../api/revision.ts';

/**
 * Creates under the quotas of a namespace come one after another on this server:
 * each changes the quotas, so only one at a time can succeed.
 */
export class QuotaTurns {
  readonly #last = new Map<string, Promise<Revision | undefined>>();

  /**
   * Runs when the work before in the namespace is done, however it ended, and is
   * told the revision that it wrote.
   */
  async run<T>(
    namespace: string,
    work: (before: Revision | undefined) => Promise<T>,
    written: (result: T) => Revision | undefined,
  ): Promise<T> {
    const before = this.#last.get(namespace);
    const result = before === undefined ? work(undefined) : before.then(work);
    const end = result.then(written, () => undefined);
    this.#last.set(namespace, end);
    try {
      return await result;
    } finally {
      if (this.#last.get(namespace) === end) this.#last.delete(namespace);
    }
  }
}
