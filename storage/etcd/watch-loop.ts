import type { CancelSignal } from '../../api/cancel-signal.ts';
import { sleep, type Clock } from '../../api/clock.ts';
import { nextRevision, revisionOf, type Revision } from '../../api/revision.ts';
import { BatchQueue } from '../batch-queue.ts';
import { StoreError, cancelledError, isStoreError } from '../errors.ts';
import type { WatchBatch, WatchOptions } from '../interface.ts';
import { EtcdCallError, toStoreError } from './call-error.ts';
import type { EtcdClient } from './client.ts';
import type { Cluster } from './cluster.ts';
import { checkContinuity } from './continuity.ts';
import type { KeySpace } from './key-space.ts';
import type { Lineage } from './lineage.ts';
import { OvertakenCheck } from './overtaken-check.ts';
import type { EtcdFeatures } from './version.ts';
import { decodeEvents, type Anchor } from './watch-events.ts';
import { WatchStream, type CompleteResponse } from './watch-stream.ts';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

interface WatchParts {
  cluster: Cluster;
  keys: KeySpace;
  lineage: Lineage;
  clock: Clock;
  /** A number in [0, 1). */
  random: () => number;
  /** Which features the member supports; asked again for every stream, because the member may have been replaced. */
  featuresOf: (client: EtcdClient) => Promise<EtcdFeatures>;
  /** Called once, when the loop has ended. */
  onClosed: (loop: WatchLoop) => void;
}

/**
 * Follows the log through any number of streams. Its whole position is one
 * number, the next revision to deliver: a stream that breaks is opened again
 * from there, so nothing is missing and nothing comes twice. The number moves
 * by complete responses only, never between fragments or within a revision.
 */
export class WatchLoop implements AsyncIterator<WatchBatch, undefined> {
  readonly #parts: WatchParts;
  readonly #prefix: string;
  readonly #previous: boolean;
  readonly #signal: CancelSignal | undefined;
  readonly #onRetry: (() => void) | undefined;
  readonly #queue: BatchQueue;
  readonly #stop = new AbortController();
  #next: Revision;
  #anchor: Anchor | undefined;
  /** True once something was delivered: the revision before `#next` has been seen for sure. */
  #seen = false;
  #client: EtcdClient | undefined;
  #stream: WatchStream | undefined;
  /** Something has to be checked first: whatever comes has to wait. */
  #holding = false;
  #safeProgress = false;
  #progressWanted = false;
  #started = false;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(parts: WatchParts, { prefix, from, signal, onRetry, previous = true }: WatchOptions) {
    this.#parts = parts;
    this.#prefix = prefix;
    this.#previous = previous;
    // To etcd revision 0 would mean "from now on".
    this.#next = from > 0n ? from : revisionOf(1n);
    this.#signal = signal;
    this.#onRetry = onRetry;
    this.#queue = new BatchQueue(() => {
      if (!this.#holding) this.#stream?.resume();
    });
  }

  next(): Promise<IteratorResult<WatchBatch, undefined>> {
    if (!this.#started) {
      this.#started = true;
      this.#start();
    }
    return this.#queue.next();
  }

  return(): Promise<IteratorResult<WatchBatch, undefined>> {
    this.#started = true;
    this.#end();
    this.#queue.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /**
   * Asks now, or as soon as a stream is open. False when the member that the
   * watch is on cannot tell progress safely; undefined when it is on none.
   */
  requestProgress(): boolean | undefined {
    this.#progressWanted = true;
    if (this.#stream === undefined) return undefined;
    if (this.#safeProgress) this.#stream.requestProgress();
    return this.#safeProgress;
  }

  /** Ends the watch from outside; what has been received is still delivered. */
  fail(error: StoreError): void {
    this.#queue.fail(error);
    this.#end();
  }

  #start(): void {
    const onAbort = (): void => {
      this.fail(cancelledError(this.#signal));
    };
    if (this.#signal?.aborted === true) {
      onAbort();
      return;
    }
    this.#signal?.addEventListener('abort', onAbort, { once: true });
    const stopListening = this.#parts.lineage.onReset((error) => this.fail(error));
    this.#stop.signal.addEventListener('abort', () => {
      this.#signal?.removeEventListener('abort', onAbort);
      stopListening();
    });
    void this.#run();
  }

  #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #end(): void {
    if (this.#stopped()) return;
    this.#stop.abort();
    this.#stream?.close();
    this.#stream = undefined;
    this.#parts.onClosed(this);
  }

  async #run(): Promise<void> {
    while (!this.#stopped()) {
      try {
        await this.#follow();
      } catch (error) {
        if (this.#stopped()) return;
        await this.#afterFailure(error);
      }
    }
  }

  /** Returns when it is worth another try; ends the watch otherwise. */
  async #afterFailure(error: unknown): Promise<void> {
    const { cluster, clock, random } = this.#parts;
    const client = this.#client ?? cluster.current;
    this.#stream?.close();
    this.#stream = undefined;
    const failure = error instanceof EtcdCallError ? error.failure : undefined;
    switch (failure) {
      case 'token':
        await cluster.renewToken(client).catch(() => undefined);
        break;
      case 'lost':
      case 'deadline':
      case 'refused':
      case 'cancelled':
        cluster.moveOn(client);
        break;
      default: {
        const reported = toStoreError(error);
        if (isStoreError(reported)) this.fail(reported);
        else this.fail(new StoreError('corrupt', 'a watch failed', { cause: error }));
        return;
      }
    }
    this.#onRetry?.();
    const pause = this.#pauseMs * (0.5 + random() / 2);
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    await sleep(clock, pause, this.#stop.signal).catch(() => undefined);
  }

  async #follow(): Promise<void> {
    const { cluster, keys, clock, featuresOf } = this.#parts;
    const client = cluster.current;
    this.#client = client;
    const features = await featuresOf(client);
    if (this.#stopped()) return;
    const from = this.#next;
    const stream = await WatchStream.open(
      { cluster, client, clock },
      {
        ...keys.watchRange(this.#prefix),
        startRevision: from,
        previous: this.#previous,
        // The periodic kind is as unsafe as the requested one on an etcd that lies about progress.
        progressNotify: features.safeProgress,
      },
    );
    if (this.#stopped()) {
      stream.close();
      return;
    }
    this.#stream = stream;
    this.#safeProgress = features.safeProgress;
    this.#holding = true;
    await this.#checkHistory();
    this.#holding = false;
    if (this.#stopped()) return;
    const behind = stream.createdAt.revision >= from;
    const check = features.safeCompaction ? undefined : new OvertakenCheck(clock, from, behind);
    const unguard = features.safeProgress
      ? stream.guard(clock)
      : stream.guardWithoutProgress(
          clock,
          () => this.#parts.lineage.highest,
          (revision) => revision >= this.#next && !this.#holding && !this.#queue.full,
        );
    if (features.safeProgress && this.#progressWanted) stream.requestProgress();
    try {
      await stream.run((response) => this.#receive(stream, response, check));
    } finally {
      unguard();
    }
  }

  /** Once for every stream: is this still the history that has been delivered? */
  async #checkHistory(): Promise<void> {
    const last = (this.#next - 1n) as Revision;
    const seen = this.#seen || last <= this.#parts.lineage.highest;
    if (last > 0n && seen) await checkContinuity(this.#parts, last, this.#anchor);
  }

  #receive(
    stream: WatchStream,
    response: CompleteResponse,
    check: OvertakenCheck | undefined,
  ): void {
    if (this.#stream !== stream) return;
    if (check?.due(response) !== true) {
      this.#deliver(stream, response);
      return;
    }
    stream.pause();
    this.#holding = true;
    check.run(this.#parts, this.#next).then(
      () => {
        if (this.#stream !== stream) return;
        this.#holding = false;
        this.#deliver(stream, response);
        if (!this.#queue.full) stream.resume();
      },
      (error: unknown) => stream.fail(error as Error),
    );
  }

  #deliver(stream: WatchStream, response: CompleteResponse): void {
    const { keys, lineage } = this.#parts;
    if (!lineage.isKnownCluster(response.header)) {
      lineage.reset(`cluster ${response.header.clusterId} answers a watch on another one`);
      return;
    }
    const { events, revision, anchor } = decodeEvents(keys, response.events, this.#next);
    if (revision !== undefined) {
      this.#anchor = anchor;
      this.#push({ revision, events });
    } else if (response.events.length === 0 && this.#safeProgress) {
      const reached = revisionOf(response.header.revision);
      this.#progressWanted = false;
      if (nextRevision(reached) >= this.#next) this.#push({ revision: reached, events: [] });
    }
    if (this.#queue.full) stream.pause();
  }

  #push(batch: WatchBatch): void {
    this.#seen = true;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#next = nextRevision(batch.revision);
    this.#queue.push(batch);
  }
}
