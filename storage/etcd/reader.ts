import type { CancelSignal } from '../../api/cancel-signal.ts';
import type { Revision } from '../../api/revision.ts';
import { isStoreError, StoreError } from '../errors.ts';
import type {
  CallOptions,
  GetResult,
  ListOptions,
  ListResult,
  ReadOptions,
  StoredItem,
} from '../interface.ts';
import { toStoreError } from './call-error.ts';
import type { Cluster } from './cluster.ts';
import { fewer, FullRead, pageLike } from './full-read.ts';
import type { KeySpace } from './key-space.ts';
import type { Lineage } from './lineage.ts';
import type { RangeRequest, RangeResponse } from './wire.ts';

const READ_TIMEOUT_MS = 5_000;
/** A page may be large, and a member may have to wait for its disk. */
const PAGE_TIMEOUT_MS = 30_000;
/** A long list is read in pages, so that neither side ever holds all of it in one message. */
const FIRST_PAGE = 1_000;
const PAGE_TARGET_BYTES = 4 * 1024 * 1024;
/** Times that a list at the newest revision starts over because compaction overtook it. */
const MAX_RESTARTS = 3;

/** Linearizable reads, and reads at a revision. */
export class Reader {
  readonly #cluster: Cluster;
  readonly #keys: KeySpace;
  readonly #lineage: Lineage;
  readonly #probe: RangeRequest;
  readonly #fullRead = new FullRead();
  #keysAtBeginning = 0;

  constructor(cluster: Cluster, keys: KeySpace, lineage: Lineage) {
    this.#cluster = cluster;
    this.#keys = keys;
    this.#lineage = lineage;
    // Nothing is ever stored at this key: the answer is a header with the revision.
    this.#probe = { key: keys.range('').key, countOnly: true };
  }

  /** How many keys there were when a full read began. */
  get keysAtBeginning(): number {
    return this.#keysAtBeginning;
  }

  /** @throws StoreError */
  async get(key: string, { revision, signal }: ReadOptions): Promise<GetResult> {
    const answer = await this.#range(
      { key: this.#keys.key(key) },
      revision,
      READ_TIMEOUT_MS,
      signal,
    );
    const kv = answer.response.kvs[0];
    return kv === undefined
      ? { revision: answer.revision }
      : { revision: answer.revision, item: this.#keys.item(kv) };
  }

  /** @throws StoreError */
  async currentRevision({ signal }: CallOptions): Promise<Revision> {
    return (await this.#range(this.#probe, undefined, READ_TIMEOUT_MS, signal)).revision;
  }

  /** @throws StoreError */
  async list(options: ListOptions): Promise<ListResult> {
    for (let restarts = 0; ; restarts++) {
      try {
        return await (options.limit === 'page' ? this.#page(options) : this.#listOnce(options));
      } catch (error) {
        const overtaken = isStoreError(error, 'compacted') && options.revision === undefined;
        if (!overtaken || restarts === MAX_RESTARTS) throw error;
      }
    }
  }

  /** One range, or a few where the first ones have no keys. */
  async #page(options: ListOptions): Promise<ListResult> {
    const { prefix, after, upTo, count, keysOnly = false, revision, signal } = options;
    const pages = this.#fullRead;
    const { key, rangeEnd } = this.#keys.range(prefix, after, upTo);
    const last = after === undefined ? undefined : this.#keys.key(after);
    for (;;) {
      const end = count === true ? rangeEnd : pages.endAfter(last, rangeEnd);
      const request = { key, rangeEnd: end, limit: pages.sizeAfter(last), keysOnly };
      const answer = await this.#pageOf(request, revision, signal);
      if (answer === undefined) {
        pages.tooLarge(request.limit);
        continue;
      }
      const { kvs, more, count: total } = answer.response;
      pages.read(last, kvs, more);
      if (last === undefined) this.#keysAtBeginning = total;
      const isLast = end === rangeEnd && !more;
      if (kvs.length > 0 || isLast) {
        const items = kvs.map((kv) => this.#keys.item(kv));
        const page = { revision: answer.revision, items, more: !isLast };
        return count === true ? { ...page, count: total } : page;
      }
    }
  }

  async #listOnce({
    prefix,
    after,
    upTo,
    limit,
    count,
    keysOnly,
    revision,
    signal,
  }: ListOptions): Promise<ListResult> {
    const range = { ...this.#keys.range(prefix, after, upTo), keysOnly: keysOnly === true };
    const items: StoredItem[] = [];
    let page = FIRST_PAGE;
    const wanted = typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
    let pinned = revision;
    let total: number | undefined;
    for (;;) {
      const size = Math.min(wanted - items.length, page);
      const request = size > 0 ? { ...range, limit: size } : { ...range, countOnly: true };
      const answer = await this.#pageOf(request, pinned, signal);
      if (answer === undefined) {
        page = fewer(size);
        continue;
      }
      pinned ??= answer.revision;
      const { kvs, more, count: inRange } = answer.response;
      total ??= inRange;
      for (const kv of kvs) items.push(this.#keys.item(kv));
      const last = kvs.at(-1);
      const done = last === undefined || !more || items.length >= wanted;
      if (done) {
        const result = { revision: pinned, items, more: more || (size <= 0 && total > 0) };
        return count === true ? { ...result, count: total } : result;
      }
      range.key = Buffer.concat([last.key, NUL]);
      page = pageLike(kvs, PAGE_TARGET_BYTES);
    }
  }

  /** Undefined: so many keys are too large for one answer. */
  async #pageOf(
    request: RangeRequest,
    revision: Revision | undefined,
    signal: CancelSignal | undefined,
  ): Promise<{ response: RangeResponse; revision: Revision } | undefined> {
    try {
      return await this.#range(request, revision, PAGE_TIMEOUT_MS, signal);
    } catch (error) {
      if (isStoreError(error, 'tooLarge') && (request.limit ?? 0) > 1) return undefined;
      throw error;
    }
  }

  async #range(
    request: RangeRequest,
    revision: Revision | undefined,
    timeoutMs: number,
    signal: CancelSignal | undefined,
  ): Promise<{ response: RangeResponse; revision: Revision }> {
    if (revision !== undefined && revision <= 0n) {
      // To etcd it would mean the newest.
      throw new StoreError('compacted', 'nothing can be read before revision 1');
    }
    const floor = this.#lineage.highest;
    let response: RangeResponse;
    try {
      response = await this.#cluster.read(
        'range',
        revision === undefined ? request : { ...request, revision },
        { timeoutMs, signal },
      );
    } catch (error) {
      throw toStoreError(error);
    }
    const current = this.#lineage.observe(response.header, floor);
    return { response, revision: revision ?? current };
  }
}

const NUL = Buffer.alloc(1);
