import type { ApiClient } from '../client.ts';
import { Backoff } from '../backoff.ts';
import { StatusError } from '../status.ts';
import type { Connection, OpenConnection, StreamFrame } from './frames.ts';
import { postedConnections } from './posted.ts';
import { socketConnections, type OpenSocket } from './socket.ts';
import { Subscription, type OnLiveEvent, type SubscriptionRequest } from './subscription.ts';
import type { LiveOptions, LiveState } from './live-options.ts';
import { systemTimers, type Timers } from './timers.ts';

/** How often the stream looks whether it lives. */
const LOOK_MS = 15_000;
/** A look that is later than this has found a machine that slept. */
const LATEST_LOOK_MS = 2 * LOOK_MS;
/** The server sends a bookmark every minute: without a frame for so long, the connection is dead. */
const SILENCE_MS = 150_000;
/** Milliseconds to wait before a subscription that the server has no room for is added again. */
const CROWDED_MS = 2_000;
const EXPIRED_CODE = 410;
/** The store is another one: its history has not come so far. */
const TOO_NEW_REASON = 'ResourceVersionTooLarge';

/**
 * Many resources on one connection. After a loss each subscription goes on where
 * it was: no event is lost, none comes twice. Where the server has forgotten the
 * history, subscriptions that began with a state start again, from lists of one
 * revision.
 */
export class LiveStream {
  readonly #client: ApiClient;
  readonly #open: OpenConnection;
  readonly #timers: Timers;
  readonly #backoff: Backoff;
  readonly #onState: (state: LiveState) => void;
  readonly #subscriptions = new Map<string, Subscription>();
  /** Those that need their state again, from one snapshot. */
  readonly #expired = new Set<Subscription>();
  /** Those that are about to begin. */
  readonly #waiting = new Set<Subscription>();
  #connection: Connection | undefined;
  /** The connection carries frames. */
  #isOpen = false;
  #isEnded = false;
  #count = 0;
  #lastFrameAt = 0;
  #lastLookAt = 0;
  #cancelLook: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;
  #cancelStart: (() => void) | undefined;

  constructor(options: LiveOptions) {
    this.#client = options.client;
    const { transport } = options.client;
    const openSocket = options.openSocket ?? socketOfBrowser();
    this.#open =
      openSocket === undefined
        ? postedConnections(transport)
        : socketConnections(transport, openSocket);
    this.#timers = options.timers ?? systemTimers;
    this.#backoff = new Backoff(options.random ?? Math.random);
    this.#onState = options.onState ?? (() => undefined);
  }

  /**
   * Follows a resource. What is wrong with it comes as an ERROR event. Returns
   * what ends it; after that no event comes.
   */
  subscribe(request: SubscriptionRequest, onEvent: OnLiveEvent): () => void {
    this.#count++;
    const subscription = new Subscription(`s${this.#count}`, request, onEvent);
    this.#subscriptions.set(subscription.id, subscription);
    // subscriptions that are made together begin together
    this.#startSoon([subscription]);
    return () => this.#unsubscribe(subscription);
  }

  /** Looks at once whether the connection lives: the page is visible again, or the network is back. */
  poke(): void {
    if (this.#cancelRetry !== undefined) this.#connect();
    else this.#look();
  }

  /** Ends everything; no event comes any more. */
  close(): void {
    this.#isEnded = true;
    this.#subscriptions.clear();
    this.#disconnect();
    this.#cancelStart?.();
  }

  #startSoon(subscriptions: Iterable<Subscription>, ms = 0): void {
    for (const each of subscriptions) this.#waiting.add(each);
    this.#cancelStart?.();
    this.#cancelStart = this.#timers.after(ms, () => {
      this.#cancelStart = undefined;
      this.#start();
    });
  }

  /** Begins those that wait: on the connection that is open, or on a new one. */
  #start(): void {
    const begun = [...this.#waiting].filter((each) => this.#isFollowed(each));
    this.#waiting.clear();
    if (begun.length === 0 || this.#isEnded || this.#cancelRetry !== undefined) return;
    if (this.#connection === undefined) {
      this.#connect();
    } else if (this.#isOpen) {
      const add = begun.map((each) => each.begin());
      if (!this.#connection.tell({ add, remove: [] })) this.#connect();
    }
  }

  #unsubscribe(subscription: Subscription): void {
    if (!this.#isFollowed(subscription)) return;
    this.#subscriptions.delete(subscription.id);
    this.#expired.delete(subscription);
    if (this.#subscriptions.size === 0) {
      this.#rest();
    } else if (this.#isOpen && !this.#waiting.has(subscription)) {
      // where the connection cannot be told, its events are dropped until the next one
      this.#connection?.tell({ add: [], remove: [subscription.id] });
    }
    this.#waiting.delete(subscription);
  }

  /** Nothing is followed: no connection is needed. */
  #rest(): void {
    this.#disconnect();
    if (!this.#isEnded) this.#onState({ state: 'idle' });
  }

  #isFollowed(subscription: Subscription): boolean {
    return this.#subscriptions.get(subscription.id) === subscription;
  }

  #connect(): void {
    this.#disconnect();
    if (this.#isEnded || this.#subscriptions.size === 0) return;
    this.#onState({ state: 'connecting' });
    const all = [...this.#subscriptions.values()].filter((each) => !this.#expired.has(each));
    this.#waiting.clear();
    const begin = all.map((each) => each.begin());
    this.#lastFrameAt = this.#timers.now();
    this.#lastLookAt = this.#lastFrameAt;
    let isCurrent = (): boolean => true;
    const connection = this.#open(begin, {
      onOpen: () => {
        if (isCurrent()) this.#opened(all);
      },
      onFrame: (frame) => {
        if (isCurrent()) this.#came(frame);
      },
      onEnd: (error) => {
        if (isCurrent()) this.#lost(error);
      },
    });
    this.#connection = connection;
    isCurrent = () => this.#connection === connection;
    this.#lookLater();
  }

  #opened(begun: readonly Subscription[]): void {
    this.#isOpen = true;
    this.#onState({ state: 'live' });
    // made while the connection was being opened
    const known = new Set(begun);
    const others = [...this.#subscriptions.values()].filter(
      (each) => !known.has(each) && !this.#expired.has(each),
    );
    const gone = begun.filter((each) => !this.#isFollowed(each)).map(({ id }) => id);
    if (gone.length > 0) this.#connection?.tell({ add: [], remove: gone });
    if (others.length > 0) this.#startSoon(others);
    if (this.#expired.size > 0) void this.#relist();
  }

  #disconnect(): void {
    this.#isOpen = false;
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  #lost(error: StatusError | undefined): void {
    this.#disconnect();
    if (error?.code === 401 || error?.code === 403) {
      this.#end(error);
      return;
    }
    if (error?.code === EXPIRED_CODE) {
      for (const each of [...this.#subscriptions.values()]) {
        if (each.expired()) this.#subscriptions.delete(each.id);
      }
    }
    const ms = this.#backoff.next();
    this.#onState({ state: 'waiting', retryAt: this.#timers.now() + ms });
    this.#cancelRetry = this.#timers.after(ms, () => this.#connect());
  }

  #end(error: StatusError): void {
    this.#isEnded = true;
    this.#disconnect();
    this.#subscriptions.clear();
    this.#onState({ state: 'ended', error });
  }

  #came(frame: StreamFrame): void {
    this.#lastFrameAt = this.#timers.now();
    // a connection that carries frames is one that works
    this.#backoff.reset();
    if (frame.id === undefined) {
      this.#cameForAll(frame);
      return;
    }
    const subscription = this.#subscriptions.get(frame.id);
    if (subscription === undefined) return;
    if (frame.type === 'ERROR') {
      this.#refused(subscription, new StatusError(frame.object, frame.object.code ?? 0));
    } else if (frame.type === 'BOOKMARK') {
      subscription.caughtUp(frame.object.metadata.resourceVersion ?? '');
    } else if (frame.type !== 'REMOVED') {
      subscription.event(frame.type, frame.object);
    }
  }

  #cameForAll(frame: StreamFrame): void {
    if (frame.type === 'BOOKMARK') {
      const { resourceVersion = '' } = frame.object.metadata;
      for (const each of this.#subscriptions.values()) each.allSent(resourceVersion);
    } else if (frame.type === 'ERROR') {
      this.#lost(new StatusError(frame.object, frame.object.code ?? 0));
    }
  }

  #refused(subscription: Subscription, error: StatusError): void {
    const isTooNew = error.causes.some(({ reason }) => reason === TOO_NEW_REASON);
    if (error.code === EXPIRED_CODE || isTooNew) {
      if (subscription.expired()) this.#subscriptions.delete(subscription.id);
      else if (!subscription.isListed) this.#startSoon([subscription]);
      else {
        this.#expired.add(subscription);
        // those that expire together are listed together
        if (this.#expired.size === 1) this.#timers.after(0, () => void this.#relist());
      }
    } else if (error.code === 429 || error.code >= 500) {
      this.#startSoon([subscription], CROWDED_MS);
    } else {
      this.#subscriptions.delete(subscription.id);
      subscription.fail(error);
      if (this.#subscriptions.size === 0) this.#rest();
    }
  }

  /** Lists those that have lost their history at one revision, and follows them from there. */
  async #relist(): Promise<void> {
    const all = [...this.#expired];
    if (all.length === 0) return;
    try {
      const requests = all.map(({ request }) => request);
      const { lists, resourceVersion } = await this.#client.snapshot(requests);
      for (const [i, each] of all.entries()) {
        if (this.#isFollowed(each)) each.restart(lists[i]?.items ?? [], resourceVersion);
      }
    } catch {
      // the stream says of each by itself what is wrong, or sends its state
    }
    for (const each of all) this.#expired.delete(each);
    this.#startSoon(all);
  }

  #lookLater(): void {
    this.#cancelLook?.();
    this.#cancelLook = this.#timers.after(LOOK_MS, () => this.#look());
  }

  /** A connection that is dead without a word, for example since the machine slept, is replaced. */
  #look(): void {
    if (this.#connection === undefined) return;
    const now = this.#timers.now();
    const hasSlept = now - this.#lastLookAt > LATEST_LOOK_MS;
    this.#lastLookAt = now;
    if (hasSlept || now - this.#lastFrameAt > SILENCE_MS) this.#connect();
    else this.#lookLater();
  }
}

function socketOfBrowser(): OpenSocket | undefined {
  const Socket = (
    globalThis as {
      readonly WebSocket?: new (...args: Parameters<OpenSocket>) => ReturnType<OpenSocket>;
    }
  ).WebSocket;
  return Socket && ((url, protocols) => new Socket(url, protocols));
}
