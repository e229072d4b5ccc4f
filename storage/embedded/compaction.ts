import type { CancelSignal } from '../../api/cancel-signal.ts';
import type { Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { LogWriter } from './log-writer.ts';
import {
  decodeLogRecord,
  decodePosition,
  DELETED,
  encodePosition,
  revisionAt,
  versionKey,
} from './record.ts';

/** Events that one step looks at, in a transaction that it shares with writers. */
const EVENTS_PER_STEP = 500;

/**
 * Forgets history. Compaction at C is in force as soon as the number is written;
 * the versions that nothing can read any more are cleared away afterwards, in
 * small steps, also after a restart.
 *
 * The log from the last compaction up to C names everything that goes: an event
 * at or before C replaced its previous version, which no read at C or later and
 * no watch from C on shows. A delete before C leaves nothing at all. What is
 * left before C are the newest versions of keys that exist at C.
 */
export class Compaction {
  readonly #queue: CommitQueue;
  #sweeping: Promise<void> | undefined;
  #stopped = false;

  constructor(queue: CommitQueue) {
    this.#queue = queue;
  }

  /** @throws StoreError `futureRevision` */
  async compact(revision: Revision, signal: CancelSignal | undefined): Promise<void> {
    await this.#queue
      .submit({
        bytes: 0,
        signal,
        run: ({ meta, revision: current }) => {
          if (revision > current) return false;
          if (revision > meta.compacted) meta.compacted = revision;
          return true;
        },
      })
      .then((done) => {
        if (done) return;
        throw new StoreError('futureRevision', `revision ${revision} is not there yet`);
      });
    this.sweep();
  }

  /** Goes on with clearing away, if there is anything. */
  sweep(): void {
    if (this.#stopped) return;
    this.#sweeping ??= this.#sweepAll()
      // Without room or with the store closing it goes on at the next compaction or start.
      .catch(() => undefined)
      .finally(() => {
        this.#sweeping = undefined;
      });
  }

  async close(): Promise<void> {
    this.#stopped = true;
    await this.#sweeping;
  }

  async #sweepAll(): Promise<void> {
    let more = true;
    while (more && !this.#stopped) more = await this.#queue.submit({ bytes: 0, run: sweepStep });
  }
}

/** True when there is more to do. */
function sweepStep({ tables, meta }: LogWriter): boolean {
  const { log, versions } = tables;
  const { swept, compacted } = meta;
  if (swept >= compacted) return false;
  const start = encodePosition({ revision: swept, index: 0 });
  const end = encodePosition({ revision: (compacted + 1n) as Revision, index: 0 });
  // Read first: LMDB's cursors do not like what they stand on to go away.
  const events = [...log.getRange({ start, end, limit: EVENTS_PER_STEP })];
  for (const { key: position, value } of events) {
    const record = decodeLogRecord(value, position);
    // What a damaged record replaced stays: nothing tells it any more.
    if (record === undefined) continue;
    const { kind, previous, key } = record;
    if (previous !== undefined) {
      log.removeSync(previous);
      versions.removeSync(versionKey(key, previous));
    }
    if (kind === DELETED && revisionAt(position) < compacted) {
      log.removeSync(position);
      versions.removeSync(versionKey(key, position));
    }
  }
  const last = events.at(-1);
  const done = events.length < EVENTS_PER_STEP || last === undefined;
  // A revision that the step may have cut in two is gone through once more: that changes nothing.
  meta.swept = done ? compacted : decodePosition(last.key).revision;
  return !done;
}
