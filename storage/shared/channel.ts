import { connect, type Socket } from 'node:net';
import type { CancelSignal } from '../../api/cancel-signal.ts';
import type { Clock } from '../../api/clock.ts';
import type { Revision } from '../../api/revision.ts';
import { StoreError, cancelledError, closedError } from '../errors.ts';
import type { Frame } from './frames.ts';
import { Link } from './link.ts';
import {
  type Answer,
  decodeAnswer,
  decodeRevision,
  encodeRequest,
  type Request,
} from './messages.ts';
import { SocketPath } from './socket.ts';

/** Requests that wait for the owner or for its answer; a caller that comes later is turned away. */
const MAX_WAITING = 20_000;
/** How long a request waits for an owner: another one starts when one has ended. */
const MAX_UNSENT_MS = 15_000;
const RETRY_MS = 50;
export const NO_OWNER = 'the process that owns the store is not there';

interface ChannelOptions {
  readonly directory: string;
  readonly clock: Clock;
  /** The owner has committed this revision. Told at least once after each loss of the connection. */
  readonly onRevision: (revision: Revision) => void;
}

interface Waiting {
  readonly request: Request;
  readonly since: number;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: StoreError) => void;
}

/** Asks the process that owns the store; connects again when that has ended and another has begun. */
export class Channel {
  readonly #path: SocketPath;
  readonly #clock: Clock;
  readonly #onRevision: (revision: Revision) => void;
  /** In the order in which they came. */
  readonly #unsent = new Map<number, Waiting>();
  readonly #sent = new Map<number, Waiting>();
  #link: Link | undefined;
  #connecting: Socket | undefined;
  #lastId = 0;
  #closed = false;

  constructor({ directory, clock, onRevision }: ChannelOptions) {
    this.#path = new SocketPath(directory);
    this.#clock = clock;
    this.#onRevision = onRevision;
    this.#connect();
  }

  /** There is an owner, as far as is known. */
  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  /**
   * @throws StoreError `unavailable` when it was not sent, `timeout` when the
   *   owner ended before it answered: what was asked may have been done
   */
  ask(request: Request, signal?: CancelSignal): Promise<Answer> {
    if (this.#closed) return Promise.reject(closedError());
    if (this.#unsent.size + this.#sent.size >= MAX_WAITING) {
      return Promise.reject(new StoreError('unavailable', 'too many writes are waiting'));
    }
    const id = this.#nextId();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#unsent.delete(id);
        this.#sent.delete(id);
        reject(cancelledError(signal));
      };
      const done = (): void => signal?.removeEventListener('abort', onAbort);
      const waiting: Waiting = {
        request,
        since: this.#clock.monotonic(),
        settle: (answer) => {
          done();
          resolve(answer);
        },
        fail: (error) => {
          done();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      if (this.#link === undefined) this.#unsent.set(id, waiting);
      else this.#send(this.#link, id, waiting);
    });
  }

  close(): void {
    this.#closed = true;
    this.#link?.end();
    this.#connecting?.destroy();
    this.#path.close();
    this.#failAll(this.#unsent, closedError());
  }

  #send(link: Link, id: number, waiting: Waiting): void {
    this.#sent.set(id, waiting);
    link.send((writer) => encodeRequest(writer, id, waiting.request));
  }

  #connect(): void {
    if (this.#closed) return;
    const socket = connect({ path: this.#path.path });
    this.#connecting = socket;
    const link = new Link(socket, {
      onFrame: (frame) => this.#received(frame),
      onClosed: () => this.#lost(),
    });
    socket.once('connect', () => {
      this.#connecting = undefined;
      this.#link = link;
      const unsent = [...this.#unsent];
      this.#unsent.clear();
      for (const [id, waiting] of unsent) this.#send(link, id, waiting);
    });
  }

  #received(frame: Frame): void {
    const revision = decodeRevision(frame);
    if (revision !== undefined) {
      this.#onRevision(revision);
      return;
    }
    const answer = decodeAnswer(frame);
    const waiting = this.#sent.get(frame.id);
    this.#sent.delete(frame.id);
    waiting?.settle(answer);
  }

  /** The owner has ended, or there is none yet. */
  #lost(): void {
    this.#link = undefined;
    this.#connecting = undefined;
    this.#failAll(
      this.#sent,
      new StoreError(
        'timeout',
        'the process that owns the store has ended; the outcome is unknown',
      ),
    );
    const now = this.#clock.monotonic();
    for (const [id, { since, fail }] of this.#unsent) {
      if (now - since < MAX_UNSENT_MS) break;
      this.#unsent.delete(id);
      fail(new StoreError('unavailable', NO_OWNER));
    }
    this.#clock.after(RETRY_MS, () => this.#connect());
  }

  #failAll(all: Map<number, Waiting>, error: StoreError): void {
    for (const { fail } of all.values()) fail(error);
    all.clear();
  }

  #nextId(): number {
    // no more than MAX_WAITING are under way, so a number that comes again is free
    this.#lastId = (this.#lastId + 1) >>> 0;
    return this.#lastId;
  }
}
