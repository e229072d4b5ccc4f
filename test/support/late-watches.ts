import { once } from 'node:events';
import {
  connect,
  constants,
  createServer,
  type ClientHttp2Session,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

const WATCH_PATH = '/etcdserverpb.Watch/Watch';

/**
 * Stands between a server and its etcd and passes every call on; what watches
 * are told it keeps while it is asked to. The server then reads and writes as
 * ever, but its replica lags behind.
 */
export class LateWatches {
  readonly #target: string;
  readonly #listener: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  #held: (() => void)[] | undefined;

  private constructor(target: string) {
    this.#target = target;
    this.#listener = createServer();
    this.#listener.on('session', (session) => this.#accept(session));
  }

  static async to(url: string): Promise<LateWatches> {
    const proxy = new LateWatches(url);
    proxy.#listener.listen(0, '127.0.0.1');
    await once(proxy.#listener, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  /** No watch is told anything from now on. */
  hold(): void {
    this.#held ??= [];
  }

  /** Watches are told everything, and in its order. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const deliver of held) deliver();
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    this.#listener.close();
    await once(this.#listener, 'close');
  }

  #accept(session: ServerHttp2Session): void {
    const etcd = connect(this.#target);
    this.#sessions.add(session);
    session.on('error', () => undefined);
    etcd.on('error', () => undefined);
    session.on('close', () => {
      this.#sessions.delete(session);
      etcd.destroy();
    });
    etcd.on('close', () => session.destroy());
    session.on('stream', (stream, headers) => this.#pass(stream, headers, etcd));
  }

  #pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, etcd: ClientHttp2Session): void {
    const call = etcd.request(headers);
    const isWatch = headers[':path'] === WATCH_PATH;
    const tell = (deliver: () => void): void => {
      if (isWatch && this.#held !== undefined) this.#held.push(() => stream.closed || deliver());
      else deliver();
    };
    let trailers: IncomingHttpHeaders = {};
    stream.on('error', () => undefined);
    call.on('error', () => undefined);
    stream.pipe(call);
    stream.on('close', () => call.close(constants.NGHTTP2_CANCEL));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    call.on('response', (response, flags) => {
      const isAll = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      tell(() => stream.respond(response, isAll ? { endStream: true } : { waitForTrailers: true }));
    });
    call.on('trailers', (sent) => (trailers = sent));
    call.on('data', (chunk: Buffer) => tell(() => stream.write(chunk)));
    call.on('end', () => tell(() => stream.end()));
  }
}
