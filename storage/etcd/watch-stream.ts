import type { Revision } from '../../api/revision.ts';
import type { Clock } from '../../api/clock.ts';
import { EtcdCallError } from './call-error.ts';
import type { EtcdClient, WatchConnection } from './client.ts';
import type { Cluster } from './cluster.ts';
import { cancellation } from './journal.ts';
import type { ResponseHeader, WatchCreateRequest, WatchEvent, WatchResponse } from './wire.ts';

const CREATE_TIMEOUT_MS = 5_000;
/** A stream that has been silent for so long is asked for a sign of life, where that is safe. */
const QUIET_MS = 30_000;
const ANSWER_MS = 10_000;

/** A response put together from its fragments: events of complete revisions, or progress. */
export interface CompleteResponse {
  readonly header: ResponseHeader;
  readonly events: WatchEvent[];
}

/**
 * One watcher on one stream of its own: etcd tells progress only when all
 * watchers of a stream are in step (etcd issue 20242).
 */
export class WatchStream {
  readonly client: EtcdClient;
  /** etcd's revision, as the member knew it, when the watcher was made. */
  readonly createdAt: ResponseHeader;
  readonly #connection: WatchConnection;
  readonly #state: StreamState;

  private constructor(
    client: EtcdClient,
    connection: WatchConnection,
    state: StreamState,
    createdAt: ResponseHeader,
  ) {
    this.client = client;
    this.createdAt = createdAt;
    this.#connection = connection;
    this.#state = state;
  }

  /**
   * Opens a stream that is paused; nothing is delivered before `start()`.
   *
   * @throws EtcdCallError
   */
  static async open(
    { cluster, client, clock }: { cluster: Cluster; client: EtcdClient; clock: Clock },
    create: WatchCreateRequest,
  ): Promise<WatchStream> {
    const state = new StreamState();
    const connection = await cluster.watch(client, state);
    state.pause = () => connection.pause();
    const stopTimer = clock.after(CREATE_TIMEOUT_MS, () => {
      state.onEnd(new EtcdCallError('deadline', `${client.endpoint} does not answer a watch`));
    });
    try {
      connection.send({ create: { ...create, fragment: true } });
      const createdAt = await state.created;
      return new WatchStream(client, connection, state, createdAt);
    } catch (error) {
      connection.cancel();
      throw error;
    } finally {
      stopTimer();
    }
  }

  /** Delivers until the stream ends, which rejects. `deliver` is never called after `close()`. */
  async run(deliver: (response: CompleteResponse) => void): Promise<never> {
    this.#state.deliver = deliver;
    this.#connection.resume();
    return this.#state.ended;
  }

  pause(): void {
    this.#connection.pause();
  }
  resume(): void {
    this.#connection.resume();
  }
  requestProgress(): void {
    this.#connection.send({ progress: true });
  }
  /** Ends `run()` with this error. */
  fail(error: Error): void {
    this.#state.onEnd(error);
  }

  /** Asks a stream that has fallen silent for progress, and gives it up when no answer comes. */
  guard(clock: Clock): () => void {
    let stop = (): void => undefined;
    const listen = (): void => {
      const heard = this.#state.responses;
      stop = clock.after(QUIET_MS, () => {
        if (this.#state.responses !== heard) {
          listen();
          return;
        }
        this.requestProgress();
        stop = clock.after(ANSWER_MS, () => {
          if (this.#state.responses !== heard) listen();
          else this.fail(this.#silence());
        });
      });
    };
    listen();
    return () => stop();
  }

  /**
   * For a member that cannot be asked for progress: gives up a stream that has fallen silent
   * though it is waited for. `isAwaited` tells of a revision that the store showed `QUIET_MS` ago.
   */
  guardWithoutProgress(
    clock: Clock,
    shown: () => Revision,
    isAwaited: (revision: Revision) => boolean,
  ): () => void {
    let stop = (): void => undefined;
    const listen = (): void => {
      const heard = this.#state.responses;
      const revision = shown();
      stop = clock.after(QUIET_MS, () => {
        if (this.#state.responses !== heard || !isAwaited(revision)) listen();
        else this.fail(this.#silence());
      });
    };
    listen();
    return () => stop();
  }

  #silence(): EtcdCallError {
    return new EtcdCallError('lost', `${this.client.endpoint}: the watch stopped answering`);
  }

  close(): void {
    this.#state.deliver = undefined;
    this.#connection.cancel();
  }
}

class StreamState {
  readonly created: Promise<ResponseHeader>;
  readonly ended: Promise<never>;
  deliver: ((response: CompleteResponse) => void) | undefined;
  pause: (() => void) | undefined;
  responses = 0;
  #onCreated: (header: ResponseHeader) => void = () => undefined;
  #onCreateFailed: (error: Error) => void = () => undefined;
  #onEnded: (error: Error) => void = () => undefined;
  #fragments: WatchEvent[] = [];

  constructor() {
    this.created = new Promise((resolve, reject) => {
      this.#onCreated = resolve;
      this.#onCreateFailed = reject;
    });
    this.ended = new Promise((_resolve, reject) => {
      this.#onEnded = reject;
    });
    // A caller waits for one of the two promises only.
    this.created.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  onResponse(response: WatchResponse): void {
    this.responses++;
    const failure = cancellation(response);
    if (failure !== undefined) {
      this.onEnd(failure);
    } else if (response.created) {
      this.pause?.();
      this.#onCreated(response.header);
    } else if (response.fragment) {
      this.#assemble(response);
    } else {
      const events = this.#fragments.length === 0 ? response.events : this.#assemble(response);
      this.#fragments = [];
      this.deliver?.({ header: response.header, events });
    }
  }

  onEnd(error: Error): void {
    this.#onCreateFailed(error);
    this.#onEnded(error);
  }

  #assemble({ events }: WatchResponse): WatchEvent[] {
    for (const event of events) this.#fragments.push(event);
    return this.#fragments;
  }
}
