import { errorOf, invalidAnswer, StatusError } from '../status.ts';
import type { Transport } from '../transport.ts';
import {
  frameOf,
  STREAM_PATH,
  type Connection,
  type ConnectionEvents,
  type OpenConnection,
  type SubscriptionMessage,
} from './frames.ts';

/** Characters of one frame: far above the largest object that a server takes. */
const MAX_FRAME_LENGTH = 64 * 1024 * 1024;

/** Streams as the answer to a POST, where there are no WebSockets: each names all of its subscriptions. */
export function postedConnections(transport: Transport): OpenConnection {
  return (begin, events) => new PostedConnection(transport, begin, events);
}

class PostedConnection implements Connection {
  readonly #transport: Transport;
  readonly #events: ConnectionEvents;
  readonly #abort = new AbortController();

  constructor(
    transport: Transport,
    begin: readonly SubscriptionMessage[],
    events: ConnectionEvents,
  ) {
    this.#transport = transport;
    this.#events = events;
    void this.#run(begin).then((error) => {
      if (!this.#abort.signal.aborted) events.onEnd(error);
    });
  }

  tell(): boolean {
    return false;
  }

  close(): void {
    this.#abort.abort();
  }

  /** Resolves when it is over: with the error that the server has answered. */
  async #run(subscriptions: readonly SubscriptionMessage[]): Promise<StatusError | undefined> {
    const { signal } = this.#abort;
    try {
      const sent = { body: { subscriptions }, signal };
      const response = await this.#transport.open('POST', STREAM_PATH, sent);
      if (signal.aborted) return undefined;
      if (!response.ok) return errorOf(response.status, await response.text());
      if (response.body === null) return invalidAnswer('the stream has no body');
      this.#events.onOpen();
      await this.#read(response.body);
      return undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return invalidAnswer(error.message);
      if (error instanceof StatusError) return error;
      return undefined;
    }
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const parse = (text: string): unknown => this.#transport.parse(text);
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#abort.signal.aborted) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_FRAME_LENGTH) throw new SyntaxError('a frame is too long');
      for (const line of lines) {
        if (line !== '' && !this.#isOver()) this.#events.onFrame(frameOf(line, parse));
      }
    }
  }

  /** The owner may have closed it while it read a frame. */
  #isOver(): boolean {
    return this.#abort.signal.aborted;
  }
}
