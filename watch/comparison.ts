import type { Revision } from '../api/revision.ts';
import type { Store } from '../storage/interface.ts';
import { splitKey } from '../storage/keys.ts';
import type { Entry } from './entry.ts';
import type { Replica } from './replica.ts';

/** Keys of a page: 1 to 5 ms of work, once in the pause of the loop. */
const PAGE = 500;
/** Differences that are told by name. */
const MAX_EXAMPLES = 5;
const ASCII_ONLY = /^[\0-\x7f]*$/;

export interface Comparison {
  /** The last page was compared at this one. */
  readonly revision: Revision;
  /** Keys that the store has. */
  readonly keys: number;
  readonly differences: number;
  /** Some of them, for people. */
  readonly examples: readonly string[];
}

/** What the replica shows of a range of keys. */
interface ShownPage {
  readonly revisions: Map<string, Revision>;
  /** The last key of the range; undefined: the range has no end. */
  readonly last: string | undefined;
}

/**
 * Compares what a replica shows with what the store holds, key by key and
 * revision by revision; values are what their revision wrote. Goes page by page
 * in the order of keys, each at the revision that the replica has reached then:
 * what is written meanwhile belongs to the pages that follow, or to the next
 * comparison. The store is asked for the keys of a page only, since etcd counts
 * all keys of the range that it is asked for.
 */
export class ReplicaComparison {
  readonly #store: Store;
  readonly #replica: Replica;
  #keys = 0;
  #differences = 0;
  readonly #examples: string[] = [];
  #after: string | undefined;

  constructor(store: Store, replica: Replica) {
    this.#store = store;
    this.#replica = replica;
  }

  /**
   * Compares the next page.
   *
   * @returns the result when it was the last one
   * @throws StoreError `compacted` when the store has been slow to answer, and what reading throws
   */
  async next(signal?: AbortSignal): Promise<Comparison | undefined> {
    const { revision } = this.#replica;
    const shown = this.#shownPage();
    const { items } = await this.#store.list({
      prefix: '',
      keysOnly: true,
      revision,
      ...(this.#after === undefined ? {} : { after: this.#after }),
      ...(shown.last === undefined ? {} : { upTo: shown.last }),
      ...(signal === undefined ? {} : { signal }),
    });
    for (const item of items) this.#compare(item, shown.revisions);
    // What is left of them was not among the store's keys.
    const missing = shown.revisions.size;
    if (missing > 0) this.#differ(missing, `${missing} that the store does not have`);
    this.#after = shown.last;
    if (shown.last !== undefined) return undefined;
    const [keys, differences, examples] = [this.#keys, this.#differences, this.#examples];
    return { revision, keys, differences, examples };
  }

  #shownPage(): ShownPage {
    const revisions = new Map<string, Revision>();
    for (const { key, revision } of this.#shownAfter(this.#after)) {
      revisions.set(key, revision);
      // The replica orders keys by UTF-16, the store by UTF-8: up to a key of ASCII both have the same ones.
      if (revisions.size >= PAGE && ASCII_ONLY.test(key)) return { revisions, last: key };
    }
    return { revisions, last: undefined };
  }

  *#shownAfter(after = ''): Generator<Pick<Entry, 'key' | 'revision'>, void> {
    const collections = [...this.#replica.collections()].sort((a, b) =>
      a.prefix < b.prefix ? -1 : 1,
    );
    for (const { prefix, items } of collections) {
      const within = after.startsWith(prefix);
      if (!within && prefix < after) continue;
      for (const { key: rest, revision } of items.range(within ? after.slice(prefix.length) : '')) {
        const key = prefix + rest;
        if (key !== after) yield { key, revision };
      }
    }
  }

  #compare(
    { key, revision }: Pick<Entry, 'key' | 'revision'>,
    revisions: Map<string, Revision>,
  ): void {
    if (splitKey(key) === undefined) return;
    this.#keys++;
    const shown = revisions.get(key);
    revisions.delete(key);
    if (shown !== revision) this.#differ(1, `${key}: ${shown ?? 'nothing'} instead of ${revision}`);
  }

  #differ(count: number, example: string): void {
    this.#differences += count;
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push(example);
  }
}
