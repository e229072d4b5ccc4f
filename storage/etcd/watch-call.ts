import { EtcdCallError } from './call-error.ts';
import type { WatchConnection, WatchHandlers } from './client.ts';
import { decodeWatchResponse } from './decode.ts';
import { encodeWatchRequest } from './encode.ts';
import { FrameParser, MAX_ANSWER_BYTES } from './grpc-frames.ts';
import { readStatus } from './grpc-status.ts';
import type { H2Connection } from './h2-connection.ts';
import type { H2Session } from './http2/session.ts';
import type { H2Stream, Head, StreamListener } from './http2/stream.ts';
import type { HeadField } from './http2/hpack-encoder.ts';
import type { WatchRequest } from './wire.ts';

/** A stream of requests and responses, one message at a time. */
export class WatchCall implements WatchConnection, StreamListener {
  readonly #endpoint: string;
  readonly #connection: H2Connection;
  readonly #handlers: WatchHandlers;
  readonly #parser = new FrameParser(MAX_ANSWER_BYTES);
  /** Messages that came while paused, or with the one that caused the pause. */
  readonly #received: Buffer[] = [];
  #unsent: Buffer[] = [];
  #stream: H2Stream | undefined;
  #status: Head | undefined;
  #paused = false;
  #ended = false;

  constructor(
    endpoint: string,
    connection: H2Connection,
    head: readonly HeadField[],
    handlers: WatchHandlers,
  ) {
    this.#endpoint = endpoint;
    this.#connection = connection;
    this.#handlers = handlers;
    connection
      .connect()
      .then((session) => this.#open(session, head))
      .catch((error: unknown) => this.#end(error as Error));
  }

  send(request: WatchRequest): void {
    if (this.#ended) return;
    const message = encodeWatchRequest(request);
    if (this.#stream === undefined) this.#unsent.push(message);
    else this.#stream.write(message);
  }

  pause(): void {
    this.#paused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#paused = false;
    // Not at once: the caller of resume may still be in the middle of its own work.
    queueMicrotask(() => {
      this.#handOver();
      if (!this.#paused) this.#stream?.resume();
    });
  }

  cancel(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stream?.cancel();
  }

  onHead(head: Head): void {
    if (head['grpc-status'] !== undefined) this.#status = head;
  }

  onData(bytes: Buffer): void {
    try {
      this.#parser.push(bytes, (message) => this.#received.push(message));
    } catch (error) {
      this.#fail('lost', 'a response that cannot be read', error);
      return;
    }
    this.#handOver();
  }

  onEnd(): void {
    const { failure, details } = readStatus(this.#status);
    this.#fail(this.#status === undefined ? 'lost' : failure, details);
  }

  onLost(details: string): void {
    this.#fail('lost', details);
  }

  #open(session: H2Session, head: readonly HeadField[]): void {
    if (this.#ended) return;
    const stream = this.#connection.stream(session, head, this);
    this.#stream = stream;
    if (this.#paused) stream.pause();
    for (const message of this.#unsent) stream.write(message);
    this.#unsent = [];
  }

  #handOver(): void {
    while (!this.#paused && !this.#ended) {
      const message = this.#received.shift();
      if (message === undefined) return;
      try {
        this.#handlers.onResponse(decodeWatchResponse(message));
      } catch (error) {
        this.#fail('lost', 'a response that cannot be read', error);
      }
    }
  }

  #fail(failure: EtcdCallError['failure'], details: string, cause?: unknown): void {
    this.#end(new EtcdCallError(failure, `${this.#endpoint}: ${details}`, cause));
  }

  #end(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stream?.cancel();
    this.#handlers.onEnd(error);
  }
}
