import type { Socket } from 'node:net';
import {
  DEFAULT_WINDOW_BYTES,
  FLAG,
  FRAME,
  frameHead,
  MAX_FRAME_BYTES,
  ProtocolError,
} from './frames.ts';
import { Outbox } from './outbox.ts';

/** The widest window (RFC 9113, section 6.9.1). */
const MAX_WINDOW_BYTES = 2 ** 31 - 1;
const LONGEST_FRAME_BYTES = 2 ** 24 - 1;

/** What one stream has to send. */
export interface Outgoing {
  readonly id: number;
  /** Bytes that the peer takes on this stream; less than none after it has made its windows smaller. */
  window: number;
  readonly unsent: Buffer[];
  /** Nothing follows `unsent`. */
  readonly isWhole: boolean;
  /** All has been sent. */
  isSent: boolean;
}

/** What leaves on a connection. Data waits where the peer has no room for it. */
export class Sender {
  readonly #outbox: Outbox;
  /** Streams with bytes for which the peer has no room, in the order in which they began to wait. */
  readonly #blocked = new Set<Outgoing>();
  /** Of the connection. */
  #window = DEFAULT_WINDOW_BYTES;
  #streamWindow = DEFAULT_WINDOW_BYTES;
  #maxFrame = MAX_FRAME_BYTES;

  constructor(socket: Socket) {
    this.#outbox = new Outbox(socket);
  }

  /** What a new stream may send at first. */
  get streamWindow(): number {
    return this.#streamWindow;
  }

  send(...parts: readonly Buffer[]): void {
    this.#outbox.send(...parts);
  }

  /** Sends as much of a stream's data as the peer takes now, and the rest when it takes more. */
  sendData(stream: Outgoing): void {
    for (let next = stream.unsent[0]; next !== undefined; next = stream.unsent[0]) {
      const room = Math.min(this.#window, stream.window, this.#maxFrame);
      if (room <= 0) {
        this.#blocked.add(stream);
        return;
      }
      const part = next.length <= room ? next : next.subarray(0, room);
      if (part === next) stream.unsent.shift();
      else stream.unsent[0] = next.subarray(room);
      this.#window -= part.length;
      stream.window -= part.length;
      stream.isSent = stream.isWhole && stream.unsent.length === 0;
      const flags = stream.isSent ? FLAG.END_STREAM : 0;
      this.#outbox.send(frameHead(part.length, FRAME.DATA, flags, stream.id), part);
    }
    this.drop(stream);
  }

  /** A stream is over: what it has not sent is not wanted. */
  drop(stream: Outgoing): void {
    if (this.#blocked.size > 0) this.#blocked.delete(stream);
  }

  /** @throws ProtocolError */
  widen(bytes: number): void {
    this.#window = widened(this.#window, bytes);
    this.#goOn();
  }

  /** @throws ProtocolError */
  widenStream(stream: Outgoing, bytes: number): void {
    stream.window = widened(stream.window, bytes);
    if (this.#blocked.has(stream)) this.sendData(stream);
  }

  /**
   * The peer sets what each stream may send at first; those that are `open` get the difference.
   *
   * @throws ProtocolError
   */
  setStreamWindow(bytes: number, open: Iterable<Outgoing>): void {
    const more = bytes - this.#streamWindow;
    if (bytes > MAX_WINDOW_BYTES) throw tooWide();
    this.#streamWindow = bytes;
    for (const stream of open) {
      if (stream.window + more > MAX_WINDOW_BYTES) throw tooWide();
      stream.window += more;
    }
    this.#goOn();
  }

  /** @throws ProtocolError */
  setMaxFrame(bytes: number): void {
    if (bytes < MAX_FRAME_BYTES || bytes > LONGEST_FRAME_BYTES) {
      throw new ProtocolError(`frames of at most ${bytes} bytes`);
    }
    this.#maxFrame = bytes;
  }

  /** Sends nothing more. */
  close(): void {
    this.#outbox.close();
    this.#blocked.clear();
  }

  #goOn(): void {
    for (const stream of [...this.#blocked]) this.sendData(stream);
  }
}

function widened(window: number, bytes: number): number {
  if (bytes === 0) throw new ProtocolError('a window that grows by nothing');
  if (window + bytes > MAX_WINDOW_BYTES) throw tooWide();
  return window + bytes;
}

function tooWide(): ProtocolError {
  return new ProtocolError('a window of more than 31 bits');
}
