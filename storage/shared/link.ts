import type { Socket } from 'node:net';
import type { Revision } from '../../api/revision.ts';
import { type Frame, FrameReader, FrameWriter } from './frames.ts';
import { encodeRevision } from './messages.ts';

interface LinkOptions {
  /** @throws FrameError, which ends the link */
  readonly onFrame: (frame: Frame) => void;
  readonly onClosed: () => void;
}

/**
 * One end of a socket that carries frames. What is written in a turn of the
 * event loop leaves as one piece at its end; while the other side does not read,
 * it waits here, and of several revisions only the newest.
 */
export class Link {
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  readonly #onFrame: (frame: Frame) => void;
  #out = new FrameWriter();
  #revision: Revision | undefined;
  #isFlushing = false;

  constructor(socket: Socket, { onFrame, onClosed }: LinkOptions) {
    this.#socket = socket;
    this.#onFrame = onFrame;
    socket.on('data', (chunk) => this.#received(chunk));
    socket.on('drain', () => this.#flush());
    // the end follows
    socket.on('error', () => undefined);
    socket.once('close', onClosed);
  }

  /** Bytes that the other side has not read. */
  get unreadBytes(): number {
    return this.#out.length + this.#socket.writableLength;
  }

  /** `encode` writes whole frames. A link that has ended drops them. */
  send(encode: (writer: FrameWriter) => void): void {
    if (this.#socket.destroyed) return;
    encode(this.#out);
    this.#flushSoon();
  }

  /** The other side is told before it is sent anything that was not sent yet. */
  tellRevision(revision: Revision): void {
    this.#revision = revision;
    this.#flushSoon();
  }

  /** No more is taken from the other side until {@link resume}. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** What was written leaves before the end. */
  end(): void {
    this.#flush();
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #received(chunk: Buffer): void {
    try {
      for (const frame of this.#reader.read(chunk)) this.#onFrame(frame);
    } catch (error) {
      this.#socket.destroy(error as Error);
    }
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#socket.writableNeedDrain || this.#socket.destroyed) return;
    if (this.#revision !== undefined) {
      const head = new FrameWriter();
      encodeRevision(head, this.#revision);
      this.#revision = undefined;
      this.#socket.cork();
      this.#socket.write(head.take());
      if (this.#out.length > 0) this.#socket.write(this.#out.take());
      this.#socket.uncork();
    } else if (this.#out.length > 0) {
      this.#socket.write(this.#out.take());
    }
  }
}
