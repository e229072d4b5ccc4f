import type { Clock } from '../../api/clock.ts';
import type { BatchOperation } from '../interface.ts';
import { decodePosition, decodeStateRecord } from './record.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { LogWriter } from './log-writer.ts';
import type { StoreTime } from './store-time.ts';
import type { Table } from './table.ts';

/** Keys that vanish in one transaction, each at a revision of its own. */
const KEYS_PER_STEP = 200;
/** The next look when there is nothing to do, or the last one failed. */
const IDLE_MS = 60_000;
const RETRY_MS = 1_000;
const NOTHING_BEFORE = Buffer.alloc(1);
const BEHIND_ALL = Buffer.alloc(9, 0xff);

/** Removes keys when their time to live is over, including those that expired while the server was stopped. */
export class Expiry {
  readonly #queue: CommitQueue;
  readonly #expiry: Table;
  readonly #clock: Clock;
  readonly #time: StoreTime;
  #cancel: (() => void) | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;
  #sweeping: Promise<void> | undefined;
  #stopped = false;

  constructor(queue: CommitQueue, expiry: Table, clock: Clock, time: StoreTime) {
    this.#queue = queue;
    this.#expiry = expiry;
    this.#clock = clock;
    this.#time = time;
  }

  /** Store time at which a key that is written now vanishes. */
  deadline(ttlSeconds: number): bigint {
    return BigInt(this.#time.now() + Math.ceil(ttlSeconds * 1_000));
  }

  /** How long a key with this deadline still lives. */
  remainingSeconds(deadline: bigint): number {
    return Math.max(0, (Number(deadline) - this.#time.now()) / 1_000);
  }

  /** Looks after the earliest deadline; to be called at start and after a key with a deadline was written. */
  schedule(): void {
    const earliest = this.#earliest();
    this.#wakeIn(earliest === undefined ? IDLE_MS : Number(earliest) - this.#time.now());
  }

  async close(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#sweeping;
  }

  #earliest(): bigint | undefined {
    for (const key of this.#expiry.getKeys({ start: NOTHING_BEFORE, end: BEHIND_ALL, limit: 1 })) {
      return key.readBigUInt64BE();
    }
    return undefined;
  }

  #wakeIn(ms: number): void {
    const at = this.#time.now() + Math.max(0, ms);
    if (this.#stopped || this.#sweeping !== undefined || at >= this.#wakeAt) return;
    this.#cancel?.();
    this.#wakeAt = at;
    this.#cancel = this.#clock.after(Math.min(Math.max(0, ms), IDLE_MS), () => {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      this.#sweeping = this.#sweep().then(
        () => {
          this.#sweeping = undefined;
          this.schedule();
        },
        // The disk may have no room for a delete; the next pass tries again.
        () => {
          this.#sweeping = undefined;
          this.#wakeIn(RETRY_MS);
        },
      );
    });
  }

  async #sweep(): Promise<void> {
    const run = (writer: LogWriter): boolean => expireStep(writer, BigInt(this.#time.now()));
    let more = true;
    while (more && !this.#stopped) more = await this.#queue.submit({ bytes: 0, run });
  }
}

/** True when there may be more to do. */
function expireStep(writer: LogWriter, now: bigint): boolean {
  const { expiry } = writer.tables;
  const end = Buffer.alloc(9);
  end.writeBigUInt64BE(now + 1n);
  const due = [...expiry.getRange({ start: NOTHING_BEFORE, end, limit: KEYS_PER_STEP })];
  for (const { key: entry, value: key } of due) {
    expiry.removeSync(entry);
    const state = writer.tables.state.get(key);
    const position = entry.subarray(8);
    const same = state !== undefined && decodeStateRecord(state).position.equals(position);
    if (!same) continue;
    const { revision: expected } = decodePosition(position);
    const operations: BatchOperation[] = [{ op: 'delete', key: key.toString(), expected }];
    writer.execute({ operations, guards: [] }, 0n);
  }
  return due.length === KEYS_PER_STEP;
}
