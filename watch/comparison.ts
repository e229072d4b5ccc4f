import type { Revision } from '../api/revision.ts';
import type { Store } from '../storage/interface.ts';
import { splitKey } from '../storage/keys.ts';
import type { Entry } from './entry.ts';
import type { ReadonlyOrderedMap } from './ordered-map.ts';
import type { Replica } from './replica.ts';

/**
 * Keys of a page: some milliseconds of work for this process. Fewer would make
 * work for etcd, which counts for every page what follows it.
 */
const PAGE = 2_500;
/** Differences that are told by name. */
const MAX_EXAMPLES = 5;

export interface Comparison {
  readonly revision: Revision;
  /** Keys that the store has at the revision. */
  readonly keys: number;
  readonly differences: number;
  /** Some of them, for people. */
  readonly examples: readonly string[];
}

/**
 * Compares what a replica shows with what the store holds at the same revision,
 * key by key and revision by revision; values are what their revision wrote.
 * Goes page by page, so that neither side has much to do at once; what is
 * written meanwhile changes neither of the two states.
 */
export class ReplicaComparison {
  readonly revision: Revision;
  readonly #store: Store;
  readonly #shown = new Map<string, ReadonlyOrderedMap<Entry>>();
  /** Entries shown by the replica that the store has not been asked for yet. */
  #left = 0;
  #keys = 0;
  #differences = 0;
  readonly #examples: string[] = [];
  #after: string | undefined;

  /** Of the replica as it is now. */
  constructor(store: Store, replica: Replica) {
    this.#store = store;
    this.revision = replica.revision;
    for (const { prefix, items } of replica.collections()) {
      this.#shown.set(prefix, items.snapshot());
      this.#left += items.size;
    }
  }

  /**
   * Compares the next page.
   *
   * @returns the result when it was the last one
   * @throws StoreError `compacted` when it has taken too long, and what reading throws
   */
  async next(signal?: AbortSignal): Promise<Comparison | undefined> {
    const page = await this.#store.list({
      prefix: '',
      keysOnly: true,
      limit: PAGE,
      revision: this.revision,
      ...(this.#after === undefined ? {} : { after: this.#after }),
      ...(signal === undefined ? {} : { signal }),
    });
    for (const { key, revision } of page.items) this.#compare(key, revision);
    this.#after = page.items.at(-1)?.key;
    if (page.more) return undefined;
    if (this.#left > 0) this.#differ(this.#left, `${this.#left} that the store does not have`);
    const { revision } = this;
    const [keys, differences, examples] = [this.#keys, this.#differences, this.#examples];
    return { revision, keys, differences, examples };
  }

  #compare(key: string, revision: Revision): void {
    const at = splitKey(key);
    if (at === undefined) return;
    this.#keys++;
    const shown = this.#shown.get(at.prefix)?.get(at.rest)?.revision;
    if (shown !== undefined) this.#left--;
    if (shown !== revision) this.#differ(1, `${key}: ${shown ?? 'nothing'} instead of ${revision}`);
  }

  #differ(count: number, example: string): void {
    this.#differences += count;
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push(example);
  }
}
