import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { EtcdCallError } from './call-error.ts';
import type { WatchConnection, WatchHandlers } from './client.ts';
import { decodeWatchResponse } from './decode.ts';
import { encodeWatchRequest } from './encode.ts';
import { FrameParser } from './grpc-frames.ts';
import { readStatus } from './grpc-status.ts';
import type { H2Connection } from './h2-connection.ts';
import type { WatchRequest } from './wire.ts';

/** A stream of requests and responses, one message at a time. */
export class WatchCall implements WatchConnection {
  readonly #endpoint: string;
  readonly #connection: H2Connection;
  readonly #handlers: WatchHandlers;
  readonly #parser = new FrameParser();
  /** Messages that came while paused, or with the one that caused the pause. */
  readonly #received: Buffer[] = [];
  #unsent: Buffer[] = [];
  #stream: ClientHttp2Stream | undefined;
  #status: IncomingHttpHeaders | undefined;
  #paused = false;
  #ended = false;

  constructor(
    endpoint: string,
    connection: H2Connection,
    headers: OutgoingHttpHeaders,
    handlers: WatchHandlers,
  ) {
    this.#endpoint = endpoint;
    this.#connection = connection;
    this.#handlers = handlers;
    connection
      .connect()
      .then((session) => this.#open(session, headers))
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
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  }

  #open(session: ClientHttp2Session, headers: OutgoingHttpHeaders): void {
    if (this.#ended) return;
    const stream = this.#connection.stream(session, headers, (status) => {
      this.#status = status;
    });
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('end', () => {
      const { failure, details } = readStatus(this.#status);
      this.#fail(this.#status === undefined ? 'lost' : failure, details);
    });
    stream.on('error', (error: Error) => this.#fail('lost', error.message, error));
    stream.on('close', () => this.#fail('lost', 'the connection was lost'));
    for (const message of this.#unsent) stream.write(message);
    this.#unsent = [];
    if (this.#paused) stream.pause();
  }

  #receive(chunk: Buffer): void {
    this.#connection.heard();
    try {
      this.#parser.push(chunk, (message) => this.#received.push(message));
    } catch (error) {
      this.#fail('lost', 'a response that cannot be read', error);
      return;
    }
    this.#handOver();
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
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    this.#handlers.onEnd(error);
  }
}
