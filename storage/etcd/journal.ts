import { randomBytes } from 'node:crypto';
import type { Clock } from '../../api/clock.ts';
import { revisionOf, type Revision } from '../../api/revision.ts';
import { EtcdCallError } from './call-error.ts';
import type { Cluster } from './cluster.ts';
import type { KeySpace } from './key-space.ts';
import type { RangeResponse, WatchResponse } from './wire.ts';

/** Steps back through the journal that {@link Journal.find} takes; each is a round trip. */
const MAX_STEPS = 64;
const READ_TIMEOUT_MS = 5_000;

/**
 * Who made a revision. Every write of this room puts a nonce of its own at the
 * author key in the same transaction, so the history of that key names the
 * author of each revision: a write happened if and only if its nonce is in
 * there, and it happened at the revision where it stands.
 *
 * Comparing values could not tell that: two servers that change an object in
 * the same way write the same bytes over the same revision, and a delete
 * leaves no bytes at all.
 */
export class Journal {
  readonly #keys: KeySpace;
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #author = randomBytes(8);
  #counter = 0n;

  constructor(keys: KeySpace, cluster: Cluster, clock: Clock) {
    this.#keys = keys;
    this.#cluster = cluster;
    this.#clock = clock;
  }

  nextNonce(): Buffer {
    const nonce = Buffer.allocUnsafe(16);
    this.#author.copy(nonce);
    nonce.writeBigUInt64BE(++this.#counter, 8);
    return nonce;
  }

  /**
   * All entries from `from` to `until`, by nonce (hex). At `until` there must be
   * an entry: it tells that the scan is complete.
   *
   * @throws EtcdCallError `compacted` when the journal does not reach back so far
   */
  async scan(from: Revision, until: Revision, timeoutMs: number): Promise<Map<string, Revision>> {
    const entries = new Map<string, Revision>();
    let cancel: (() => void) | undefined;
    let done = false;
    try {
      await new Promise<void>((resolve, reject) => {
        const stopTimer = this.#clock.after(timeoutMs, () => {
          reject(new EtcdCallError('deadline', 'no answer while reading the journal'));
        });
        const finish = (error?: Error): void => {
          stopTimer();
          if (error === undefined) resolve();
          else reject(error);
        };
        const onResponse = (response: WatchResponse): void => {
          const failure = cancellation(response);
          if (failure !== undefined) {
            finish(failure);
            return;
          }
          for (const { kv } of response.events) {
            const revision = revisionOf(kv.modRevision);
            entries.set(kv.value.toString('hex'), revision);
            if (revision >= until) finish();
          }
        };
        const member = this.#cluster.current;
        this.#cluster.watch(member, { onResponse, onEnd: finish }).then(
          (connection) => {
            cancel = () => connection.cancel();
            if (done) cancel();
            connection.send({ create: { key: this.#keys.author, startRevision: from } });
          },
          (error: unknown) => finish(error as Error),
        );
      });
    } finally {
      done = true;
      cancel?.();
    }
    return entries;
  }

  /**
   * Looks for one recent nonce, from the newest entry back to `since`; the way
   * to ask an etcd that takes no writes. Undefined when it is not there.
   *
   * @throws EtcdCallError, `deadline` when the nonce lies too deep to be found
   */
  async find(nonce: Buffer, since: Revision): Promise<Revision | undefined> {
    let entry = await this.#entry();
    for (let step = 0; step < MAX_STEPS; step++) {
      const kv = entry.kvs[0];
      if (kv === undefined) return undefined;
      const revision = revisionOf(kv.modRevision);
      if (revision <= since) return undefined;
      if (kv.value.equals(nonce)) return revision;
      entry = await this.#entry((revision - 1n) as Revision);
    }
    throw new EtcdCallError('deadline', 'the journal has too many entries to find a write in it');
  }

  #entry(revision?: Revision): Promise<RangeResponse> {
    const request = { key: this.#keys.author };
    return this.#cluster.read(
      'range',
      revision === undefined ? request : { ...request, revision },
      { timeoutMs: READ_TIMEOUT_MS },
    );
  }
}

/** Why etcd refuses or ends a watch, as a failed call; undefined when it does not. */
export function cancellation(response: WatchResponse): EtcdCallError | undefined {
  if (!response.canceled) return undefined;
  if (response.compactRevision !== 0n) {
    return EtcdCallError.compacted(response.compactRevision);
  }
  const reason = response.cancelReason;
  if (reason.includes('permission denied')) return new EtcdCallError('denied', reason);
  const token = /invalid auth token|auth store is old|user name is empty/.test(reason);
  return new EtcdCallError(token ? 'token' : 'lost', reason === '' ? 'watch canceled' : reason);
}
