import { CODE } from './frames.ts';
import type { HeadField } from './hpack-encoder.ts';
import { ReceiveWindow } from './receive-window.ts';
import type { Outgoing } from './sender.ts';

/** Names in lower case. */
export type Head = Readonly<Record<string, string>>;

/** What a stream tells its call. After the end, and after a cancellation, nothing more. */
export interface StreamListener {
  /** The head of the answer, and its trailers. */
  onHead(head: Head): void;
  /** The memory is used again: what is kept of it has to be copied. */
  onData(bytes: Buffer): void;
  /** The answer has come to its end. */
  onEnd(): void;
  /** The stream has ended before its answer has; `refused`: the peer has not looked at the call. */
  onLost(details: string, refused: boolean): void;
}

/** What a stream needs of its connection. */
export interface StreamHost {
  /** Something is to be sent on it. */
  pump(stream: H2Stream): void;
  /** It is over for this side; `open`: not for the peer. */
  closed(stream: H2Stream, open: boolean): void;
  /** The peer may send so much more on it. */
  credit(stream: H2Stream, bytes: number): void;
}

/** With the window of 64 KiB that is there unless another is agreed on, a backlog crawls. */
export const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;

/** One call: what is still to be sent of it, and how much either side may send. */
export class H2Stream implements Outgoing {
  readonly fields: readonly HeadField[];
  readonly listener: StreamListener;
  /** 0: its head has not been sent. */
  id = 0;
  /** The next one in its list of those that are open. */
  next: H2Stream | undefined;
  /** Bytes that the peer takes. */
  window = 0;
  readonly unsent: Buffer[] = [];
  /** Nothing follows what is to be sent. */
  isWhole = false;
  /** All has been sent. */
  isSent = false;
  readonly #host: StreamHost;
  #isOver = false;
  #isPaused = false;
  readonly #received = new ReceiveWindow(STREAM_WINDOW_BYTES);

  constructor(host: StreamHost, fields: readonly HeadField[], listener: StreamListener) {
    this.#host = host;
    this.fields = fields;
    this.listener = listener;
  }

  write(message: Buffer): void {
    if (this.#isOver) return;
    this.unsent.push(message);
    this.#host.pump(this);
  }

  end(message: Buffer): void {
    this.isWhole = true;
    this.write(message);
  }

  /** The peer may send what its window allows, and no more. What has come is handed over all the same. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#credit();
  }

  cancel(): void {
    if (!this.#finish()) return;
    this.#host.closed(this, true);
  }

  /**
   * `flowBytes`: what they take of the window, their padding included.
   *
   * @throws ProtocolError when they are more than the peer may send
   */
  received(bytes: Buffer, flowBytes: number): void {
    this.#received.take(flowBytes);
    this.#credit();
    if (!this.#isOver && bytes.length > 0) this.listener.onData(bytes);
  }

  ended(): void {
    if (!this.#finish()) return;
    this.#host.closed(this, !this.isSent);
    this.listener.onEnd();
  }

  /** The peer, or the end of the connection, has ended it. */
  reset(code: number, details = 'the connection was lost'): void {
    if (!this.#finish()) return;
    this.#host.closed(this, false);
    const isQuiet = code === CODE.NO_ERROR || code === CODE.CANCEL;
    const refused = code === CODE.REFUSED_STREAM;
    this.listener.onLost(isQuiet ? details : `the stream was closed with error ${code}`, refused);
  }

  #credit(): void {
    if (this.#isPaused || this.#isOver) return;
    const bytes = this.#received.giveBack();
    if (bytes > 0) this.#host.credit(this, bytes);
  }

  #finish(): boolean {
    const isNew = !this.#isOver;
    this.#isOver = true;
    this.unsent.length = 0;
    return isNew;
  }
}
