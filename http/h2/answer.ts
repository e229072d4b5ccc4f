import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AnswerStream } from '../answer-stream.ts';

/** Headers that speak of a connection; HTTP/2 has frames for that (RFC 9113, section 8.2.2). */
const OF_CONNECTIONS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The answer on one stream. `connection: close` of HTTP/1.1 becomes GOAWAY: the
 * streams that are open end in peace, and the client opens another connection.
 */
export class Http2Answer implements AnswerStream {
  readonly #stream: ServerHttp2Stream;
  readonly #session: ServerHttp2Session;
  #inPieces = false;
  #isBroken = false;

  constructor(stream: ServerHttp2Stream, session: ServerHttp2Session) {
    this.#stream = stream;
    this.#session = session;
  }

  get destroyed(): boolean {
    return this.#stream.destroyed;
  }

  /**
   * Node ends the body of a stream that is closed with an error before it says that there
   * is one, and the client takes what it has for all. A stream with trailers has no end
   * before them; it gets them, without any field, unless it is broken.
   */
  comesInPieces(): void {
    this.#inPieces = true;
    this.#stream.on('wantTrailers', () => {
      if (!this.#isBroken) this.#stream.sendTrailers({});
    });
  }

  writeHead(status: number, headers: Record<string, string | string[]>): void {
    if (this.#stream.destroyed) return;
    const sent: Record<string, string | string[] | number> = { ':status': status };
    for (const [name, value] of Object.entries(headers)) {
      if (!OF_CONNECTIONS.has(name.toLowerCase())) sent[name] = value;
      else if (value === 'close') this.#session.close();
    }
    this.#stream.respond(sent, { waitForTrailers: this.#inPieces });
  }

  /** `respond` has sent it. */
  flushHeaders(): void {
    return;
  }

  write(bytes: Buffer, onSent?: (error?: Error | null) => void): boolean {
    return this.#stream.write(bytes, onSent);
  }

  end(bytes?: Buffer): void {
    // The answer to HEAD has ended with its head.
    if (this.#stream.writableEnded) return;
    if (bytes === undefined) this.#stream.end();
    else this.#stream.end(bytes);
  }

  destroy(): void {
    this.#isBroken = true;
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  on(event: 'drain' | 'finish' | 'close', listener: () => void): void {
    this.#stream.on(event, listener);
  }

  once(event: 'close', listener: () => void): void {
    this.#stream.once(event, listener);
  }

  off(event: 'drain' | 'finish' | 'close', listener: () => void): void {
    this.#stream.off(event, listener);
  }
}
