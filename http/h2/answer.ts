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

  constructor(stream: ServerHttp2Stream, session: ServerHttp2Session) {
    this.#stream = stream;
    this.#session = session;
  }

  get destroyed(): boolean {
    return this.#stream.destroyed;
  }

  writeHead(status: number, headers: Record<string, string | string[]>): void {
    if (this.#stream.destroyed) return;
    const sent: Record<string, string | string[] | number> = { ':status': status };
    for (const [name, value] of Object.entries(headers)) {
      if (!OF_CONNECTIONS.has(name.toLowerCase())) sent[name] = value;
      else if (value === 'close') this.#session.close();
    }
    this.#stream.respond(sent);
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
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  on(event: 'drain' | 'close', listener: () => void): void {
    this.#stream.on(event, listener);
  }

  once(event: 'close', listener: () => void): void {
    this.#stream.once(event, listener);
  }

  off(event: 'drain' | 'close', listener: () => void): void {
    this.#stream.off(event, listener);
  }
}
