import { expired } from '../api/api-error.ts';
import type { Clock } from '../api/clock.ts';
import { Turn } from '../api/turn.ts';
import {
  maxRevision,
  minRevision,
  nextRevision,
  NO_REVISION,
  type Revision,
} from '../api/revision.ts';
import { StoreError } from '../storage/errors.ts';
import type { Store } from '../storage/interface.ts';
import { Broadcaster } from './broadcaster.ts';
import type { Collection } from './collection.ts';
import type { Encoder } from './frames.ts';
import { SharedAsking } from './keep-asking.ts';
import { pastEvent, type CollectionEvent } from './past-event.ts';
import { Semaphore } from './semaphore.ts';
import type { Replica } from './replica.ts';
import { StreamSchedule } from './schedule.ts';
import type { Scope } from './scope.ts';
import type { SubscriptionStart } from './subscription-parts.ts';
import { Subscription } from './subscription.ts';
import { UnionStream } from './union-stream.ts';
import type { FrameSink } from './frame-sink.ts';

interface WatchParts {
  store: Store;
  replica: Replica;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
}

interface WatchRequest {
  readonly prefix: string;
  readonly start: SubscriptionStart;
  readonly scope: Scope;
  readonly encoder: Encoder;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
  readonly sink: FrameSink;
  readonly onClose?: () => void;
}

interface UnionRequest {
  /** The log is followed from here on, and from the replica's present at the latest; absent: from there. */
  readonly after: Revision | undefined;
  readonly bookmark: (revision: Revision) => Buffer;
  readonly timeoutMs: number;
  readonly sink: FrameSink;
  readonly onClose: () => void;
}

/** What ends with the history that it follows. */
type Open = Pick<Subscription, 'halt' | 'close' | 'closeWithError'>;

/** Opens watch streams over a replica and ends them all when their history is replaced. */
export class Watcher {
  readonly #parts: WatchParts;
  readonly #broadcasters = new Map<Collection, Broadcaster>();
  readonly #open = new Set<Open>();
  readonly #pastReaders = new Semaphore(MAX_PAST_READERS);
  readonly #progress: SharedAsking;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#progress = new SharedAsking(() => parts.store.requestProgress(), parts.clock);
    parts.replica.onReload(() => this.#expireAll());
  }

  /** Number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  watch(request: WatchRequest): Subscription {
    const { replica, clock, random } = this.#parts;
    const collection = replica.collection(request.prefix);
    const broadcaster = this.#broadcaster(collection);
    const { bookmarks, timeoutMs } = request;
    const subscription: Subscription = new Subscription({
      collection,
      broadcaster,
      clock,
      encoder: request.encoder,
      scope: request.scope,
      schedule: new StreamSchedule({ clock, random, bookmarks, timeoutMs }),
      sink: request.sink,
      present: () => replica.revision,
      past: (after) => this.#past([collection], after),
      onClose: () => {
        this.#open.delete(subscription);
        this.#release(collection);
        request.onClose?.();
      },
    });
    this.#open.add(subscription);
    subscription.start(request.start);
    return subscription;
  }

  /** One stream over many collections, in the order of the log. */
  union(request: UnionRequest): UnionStream {
    const { replica, clock, random } = this.#parts;
    const { bookmark, timeoutMs, sink } = request;
    const stream: UnionStream = new UnionStream({
      // the log may not have reached the revision yet
      after: minRevision(request.after ?? replica.revision, replica.revision),
      clock,
      bookmark,
      schedule: new StreamSchedule({ clock, random, bookmarks: true, timeoutMs }),
      sink,
      collection: (prefix) => replica.collection(prefix),
      present: () => replica.revision,
      past: (collections, after) => this.#past(collections, after),
      join: (collection) => this.#broadcaster(collection).add(stream),
      leave: (collection) => {
        this.#broadcasters.get(collection)?.remove(stream);
        this.#release(collection);
      },
      onClose: () => {
        this.#open.delete(stream);
        request.onClose();
      },
    });
    this.#open.add(stream);
    stream.start();
    return stream;
  }

  /** Ends every stream cleanly, in turns; clients resume elsewhere. */
  async closeAll(): Promise<void> {
    await this.#endEach(this.#open, (subscription) => subscription.close());
  }

  /** None of them may see the history that comes now. */
  #expireAll(): void {
    const error = expired('The history of the registry has been replaced; list again.');
    const all = [...this.#open];
    for (const subscription of all) subscription.halt();
    void this.#endEach(all, (subscription) => subscription.closeWithError(error));
  }

  async #endEach(subscriptions: Iterable<Open>, end: (subscription: Open) => void): Promise<void> {
    const turn = new Turn(this.#parts.clock);
    for (const subscription of subscriptions) {
      end(subscription);
      if (turn.over()) await turn.next();
    }
  }

  #broadcaster(collection: Collection): Broadcaster {
    let broadcaster = this.#broadcasters.get(collection);
    if (broadcaster === undefined) {
      broadcaster = new Broadcaster(collection, this.#parts.clock);
      this.#broadcasters.set(collection, broadcaster);
    }
    return broadcaster;
  }

  /** No stream may be left that follows the collection. */
  #release(collection: Collection): void {
    const broadcaster = this.#broadcasters.get(collection);
    if (broadcaster === undefined || broadcaster.size > 0) return;
    broadcaster.close();
    this.#broadcasters.delete(collection);
  }

  /**
   * Events of some collections after a revision from the store's own history, in
   * the order of the log, up to the point from which the histories in memory of
   * all of them are complete.
   *
   * @throws StoreError `compacted` when the store has cut it, or has lost an
   *   old value without which selectors cannot be decided
   */
  async *#past(
    collections: readonly Collection[],
    after: Revision,
  ): AsyncGenerator<CollectionEvent, void> {
    const stop = new AbortController();
    const { store } = this.#parts;
    await this.#pastReaders.enter();
    let stopAsking = (): void => undefined;
    try {
      // Where the store cannot tell progress, the registry's other writes show that nothing is left.
      const canAsk = await store.requestProgress();
      const [only, another] = collections;
      const prefix = canAsk && another === undefined ? (only?.prefix ?? '') : '';
      const range = { prefix, from: nextRevision(after) };
      // A resource in which nothing has happened shows nothing by itself.
      if (canAsk) stopAsking = this.#progress.enter();
      for await (const batch of store.watch({ ...range, signal: stop.signal })) {
        for (const event of batch.events) {
          if (event.revision > floorOf(collections)) return;
          const collection = collections.find((each) => event.key.startsWith(each.prefix));
          if (collection === undefined) continue;
          const past = pastEvent(event, event.key.slice(collection.prefix.length), 0);
          if (past === undefined)
            throw new StoreError('compacted', 'an earlier value has been compacted');
          yield { collection, event: past };
        }
        // The floor may rise while a slow stream reads, so it is read each time.
        if (batch.revision >= floorOf(collections)) return;
        if (canAsk) await store.requestProgress();
      }
    } finally {
      stopAsking();
      this.#pastReaders.leave();
      stop.abort(new StoreError('cancelled', 'the stream has caught up'));
    }
  }
}

/** Every event after it is in the memory of all of them. */
function floorOf(collections: readonly Collection[]): Revision {
  return collections.map(({ history }) => history.floor).reduce(maxRevision, NO_REVISION);
}

/** Streams that read the store's own history at one time; the others wait for their turn. */
const MAX_PAST_READERS = 16;
