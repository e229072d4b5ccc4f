import { randomBytes } from 'node:crypto';
import type { Clock } from '../../api/clock.ts';
import { revisionOf, type Revision } from '../../api/revision.ts';
import { EtcdCallError } from './call-error.ts';
import type { Cluster } from './cluster.ts';
import type { KeySpace } from './key-space.ts';
import type { KeyValue, RangeResponse, WatchResponse } from './wire.ts';

/** Steps back through the history that {@link Journal.find} takes; each is a round trip. */
const MAX_STEPS = 64;
const READ_TIMEOUT_MS = 5_000;

/**
 * What a write puts, and no other write before it: its trace in the history. The
 * write has happened if and only if the bytes are found there.
 */
export interface Mark {
  readonly key: Buffer;
  readonly value: Buffer;
  /** It is the object that the write creates; others may have changed it since. */
  readonly creates: boolean;
}

/**
 * Who made a revision. A write that creates an object with an id of its own is
 * told by the object. Every other write of this room puts a nonce of its own at
 * the author key in the same transaction, so the history of that key names the
 * author of each of these revisions.
 *
 * Comparing other values could not tell that: two servers that change an object
 * in the same way write the same bytes over the same revision, and a delete
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

  nextSignature(): Mark {
    const nonce = Buffer.allocUnsafe(16);
    this.#author.copy(nonce);
    nonce.writeBigUInt64BE(++this.#counter, 8);
    return { key: this.#keys.author, value: nonce, creates: false };
  }

  /**
   * Which of the marks stand in the history from `from` to `until`, and the
   * revisions of their writes. At `until` there must be an entry of the author
   * key: it tells that the scan is complete.
   *
   * @throws EtcdCallError `compacted` when the history does not reach back so far
   */
  async scan(
    marks: readonly Mark[],
    { from, until }: { readonly from: Revision; readonly until: Revision },
    timeoutMs: number,
  ): Promise<Map<Mark, Revision>> {
    const wanted = new Wanted(marks);
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
          for (const { kv, deleted } of response.events) {
            if (!deleted) wanted.look(kv);
            if (revisionOf(kv.modRevision) >= until) finish();
          }
        };
        const member = this.#cluster.current;
        this.#cluster.watch(member, { onResponse, onEnd: finish }).then(
          (connection) => {
            cancel = () => connection.cancel();
            if (done) cancel();
            const range = marks.some(({ creates }) => creates)
              ? { ...this.#keys.everything(), fragment: true }
              : { key: this.#keys.author };
            connection.send({ create: { ...range, startRevision: from } });
          },
          (error: unknown) => finish(error as Error),
        );
      });
    } finally {
      done = true;
      cancel?.();
    }
    return wanted.found;
  }

  /**
   * Looks for one recent mark, from the newest state of its key back to `since`;
   * the way to ask an etcd that takes no writes. Undefined when it is not there.
   *
   * @throws EtcdCallError, `deadline` when the mark lies too deep to be found
   */
  async find(mark: Mark, since: Revision): Promise<Revision | undefined> {
    let state = await this.#stateOf(mark);
    let at = revisionOf(state.header.revision);
    for (let step = 0; step < MAX_STEPS; step++) {
      const kv = state.kvs[0];
      // where there is no object nothing tells since when
      if (kv !== undefined) at = revisionOf(kv.modRevision);
      if (at <= since) return undefined;
      if (kv?.value.equals(mark.value) === true) return writtenAt(mark, kv);
      at = (at - 1n) as Revision;
      state = await this.#stateOf(mark, at);
    }
    throw new EtcdCallError('deadline', 'the history is too long to find a write in it');
  }

  #stateOf({ key }: Mark, revision?: Revision): Promise<RangeResponse> {
    return this.#cluster.read('range', revision === undefined ? { key } : { key, revision }, {
      timeoutMs: READ_TIMEOUT_MS,
    });
  }
}

/** Marks, found by key and value. */
class Wanted {
  readonly found = new Map<Mark, Revision>();
  readonly #marks = new Map<string, Map<string, Mark>>();

  constructor(marks: readonly Mark[]) {
    for (const mark of marks) {
      const key = mark.key.toString('latin1');
      let ofKey = this.#marks.get(key);
      if (ofKey === undefined) {
        ofKey = new Map();
        this.#marks.set(key, ofKey);
      }
      ofKey.set(mark.value.toString('latin1'), mark);
    }
  }

  look(kv: KeyValue): void {
    const mark = this.#marks.get(kv.key.toString('latin1'))?.get(kv.value.toString('latin1'));
    if (mark !== undefined) this.found.set(mark, writtenAt(mark, kv));
  }
}

/** What was created may have come to the same bytes again. */
function writtenAt({ creates }: Mark, { createRevision, modRevision }: KeyValue): Revision {
  return revisionOf(creates ? createRevision : modRevision);
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
