import type { CancelSignal } from '../../api/cancel-signal.ts';
import type { Revision } from '../../api/revision.ts';
import { StoreError, cancelledError, closedError } from '../errors.ts';
import type { StoreEvent } from '../interface.ts';
import { Answers } from './answers.ts';
import type { Environment } from './environment.ts';
import { LogWriter } from './log-writer.ts';
import type { Meta } from './meta.ts';
import type { Space } from './space.ts';
import type { StoreTime } from './store-time.ts';

/** Bounds of one commit: it runs on the event loop until its fsync, and waits for all of it. */
const MAX_JOBS_PER_COMMIT = 256;
const MAX_BYTES_PER_COMMIT = 8 * 1024 * 1024;
/** Writes that may wait; a caller that comes later is turned away. */
const MAX_WAITING = 20_000;

/** The caller of what the server does by itself. */
const OWN = '';

/** Something to do within a transaction. */
interface Job<T> {
  /** Size of what it adds; 0 for what only takes away, which is done even without room. */
  readonly bytes: number;
  readonly signal?: CancelSignal | undefined;
  /** Whose it is: callers are answered in turns. */
  readonly caller?: string | undefined;
  run(writer: LogWriter): T;
}

interface Waiting {
  readonly job: Job<unknown>;
  readonly caller: string;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** What a commit wrote. */
export interface Commit {
  /** The newest revision before it. */
  readonly after: Revision;
  /** The newest revision since; the same as `after` when it made none. */
  readonly revision: Revision;
  /** In the order of the log, without what was there before. */
  readonly events: readonly StoreEvent[];
  /** About the size of the events. */
  readonly bytes: number;
}

interface CommitParts {
  environment: Environment;
  meta: Meta;
  space: Space;
  time: StoreTime;
  /** Called after every commit, before its writers are answered. */
  onCommit: (commit: Commit) => void;
}

/**
 * Group commit: whatever has come while a commit was on its way to the disk goes
 * into the next one, so one fsync serves many writers and a single writer waits
 * for none but its own.
 */
export class CommitQueue {
  readonly #parts: CommitParts;
  readonly #answers = new Answers();
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(parts: CommitParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the job is durable.
   *
   * @throws StoreError `outOfSpace`, `unavailable`, `cancelled` when the signal aborts before its turn
   */
  submit<T>(job: Job<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closedError());
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new StoreError('unavailable', 'too many writes are waiting'));
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ job, caller: job.caller ?? OWN, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Takes no more, and resolves when what was taken is answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#answers.given();
  }

  async #drain(): Promise<void> {
    // Writers that were woken by one commit come in the same turn of the loop: let them.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      const failure = await this.#commit(batch);
      if (failure !== undefined) await this.#commitEach(batch, failure);
      // LMDB's binding links its transactions: what they refer to would live until all of the heap is collected.
      batch.length = 0;
    }
    this.#running = undefined;
  }

  /** One of them may be to blame: the others shall not suffer for it. */
  async #commitEach(batch: readonly Waiting[], failure: StoreError): Promise<void> {
    if (batch.length === 1) {
      batch[0]?.reject(failure);
      return;
    }
    for (const one of batch) {
      const error = await this.#commit([one]);
      if (error !== undefined) one.reject(error);
    }
  }

  #take(): Waiting[] {
    const batch: Waiting[] = [];
    const shortage = this.#parts.space.room();
    let bytes = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      if (batch.length >= MAX_JOBS_PER_COMMIT || bytes > MAX_BYTES_PER_COMMIT) break;
      taken++;
      const error = refusal(waiting.job, bytes, shortage);
      if (error === undefined) {
        batch.push(waiting);
        bytes += waiting.job.bytes;
      } else {
        waiting.reject(error);
      }
    }
    this.#waiting = this.#waiting.slice(taken);
    return batch;
  }

  /** Answers all jobs, or none and returns why. */
  async #commit(batch: readonly Waiting[]): Promise<StoreError | undefined> {
    if (batch.length === 0) return undefined;
    const { environment, meta, space, time, onCommit } = this.#parts;
    const results: unknown[] = [];
    const bytes = batch.reduce((sum, { job }) => sum + job.bytes, 0);
    let commit: Commit | undefined;
    try {
      await environment.transaction(() => {
        const writer = new LogWriter(environment.tables, meta);
        const after = writer.revision;
        for (const { job } of batch) results.push(job.run(writer));
        writer.finish();
        meta.writeTime(time.save());
        commit = { after, revision: writer.revision, events: writer.events, bytes };
      });
    } catch (error) {
      // A disk may fail when all has been written but the word that it was.
      const landed =
        commit !== undefined && commit.revision > commit.after && meta.revision >= commit.revision;
      if (!landed) return space.explain(error);
    }
    space.committed(bytes);
    if (commit !== undefined) onCommit(commit);
    this.#answers.give(batch, results);
    return undefined;
  }
}

function refusal(
  { signal, bytes }: Job<unknown>,
  before: number,
  shortage: (bytes: number) => StoreError | undefined,
): StoreError | undefined {
  if (signal?.aborted === true) {
    return cancelledError(signal);
  }
  return bytes === 0 ? undefined : shortage(before + bytes);
}
