import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { EtcdCallError } from './call-error.ts';
import { H2Session } from './http2/session.ts';
import type { H2Stream, StreamListener } from './http2/stream.ts';
import type { HeadField } from './http2/hpack-encoder.ts';
import { hungUp, tlsFailure } from './tls-failure.ts';
import { renewed, type TlsMaterial } from './tls-files.ts';

/**
 * etcd lets clients ping every 5 s at most (`--grpc-keepalive-min-time`) and
 * hangs up on those that do so more often: stay clearly above it. A peer that is
 * gone without a word is found after 7.5 s.
 */
const KEEPALIVE_MS = 5_500;
const KEEPALIVE_TIMEOUT_MS = 2_000;
/**
 * A connection on which calls are not answered for so long is given up, also when
 * its pings are: a proxy or a member has lost it halfway. More than the 7 s that
 * etcd itself gives a write.
 */
const MAX_SILENCE_MS = 8_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of one read. */
const READ_BYTES = 64 * 1024;
/** After a failed attempt calls are turned away for a moment, doubling up to a second. */
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 1_000;

/** One HTTP/2 connection to a member, made when it is needed and made again when it is lost. */
export class H2Connection {
  readonly #endpoint: string;
  #tls: TlsMaterial;
  #session: H2Session | undefined;
  #connecting: Promise<H2Session> | undefined;
  #pauseMs = 0;
  #pauseUntil = 0;
  #lastFailure = '';
  #closed = false;

  constructor(endpoint: string, tls: TlsMaterial) {
    this.#endpoint = endpoint;
    this.#tls = tls;
  }

  /** The session, when there is one that takes streams. */
  get session(): H2Session | undefined {
    return this.#session;
  }

  /** @throws EtcdCallError `refused`: nothing was sent */
  connect(): Promise<H2Session> {
    if (this.#session !== undefined) return Promise.resolve(this.#session);
    const resting = performance.now() < this.#pauseUntil;
    if (this.#closed || resting) return Promise.reject(this.#refusal(this.#lastFailure));
    this.#connecting ??= this.#openWithFiles().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** The session takes no more streams; those that are open go on. */
  retire(session: H2Session): void {
    if (this.#session === session) this.#session = undefined;
  }

  /**
   * A stream for one call, which begins with what is written on it.
   *
   * @throws EtcdCallError `refused`: nothing was sent
   */
  stream(session: H2Session, fields: readonly HeadField[], listener: StreamListener): H2Stream {
    try {
      return session.request(fields, listener);
    } catch (error) {
      this.retire(session);
      throw this.#refusal('it was lost', error);
    }
  }

  /** A call has got no answer in this time. */
  missed(session: H2Session, waitedMs: number): void {
    session.silence.missed(performance.now() - waitedMs);
    this.#giveUpIfSilent(session);
  }

  close(): void {
    this.#closed = true;
    this.#lastFailure = 'the client is closed';
    this.#session?.destroy();
    this.#session = undefined;
    void this.#connecting?.then((session) => session.destroy()).catch(() => undefined);
  }

  /** The files may have been replaced since the last connection, or their certificates have expired. */
  async #openWithFiles(): Promise<H2Session> {
    this.#tls = await renewed(this.#tls, this.#endpoint);
    return this.#open();
  }

  #open(): Promise<H2Session> {
    return new Promise((resolve, reject) => {
      const socket = this.#connectSocket((bytes) => session.receive(bytes));
      // Only when it is ready it is certain that the peer speaks HTTP/2; until then nothing is asked.
      const session = new H2Session(socket, {
        onReady: () => {
          clearTimeout(timer);
          isJudged = false;
          this.#pauseMs = 0;
          this.#lastFailure = '';
          if (this.#closed) session.destroy();
          else this.#session = session;
          this.#keepAlive(session, socket);
          resolve(session);
        },
        onRetired: () => this.retire(session),
        onError: (error) => fail(error),
      });
      let reason: string | undefined;
      /** The peer has seen the client's certificate, and has not said yet that it takes calls. */
      let isJudged = false;
      let ended = false;
      const end = (): void => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        this.retire(session);
        session.destroy(reason);
        reject(this.#rest(reason ?? hungUp(isJudged ? this.#tls : undefined)));
      };
      const fail = (error: Error): void => {
        const { code } = error as NodeJS.ErrnoException;
        const isHangUp = isJudged && (code === 'ECONNRESET' || code === 'EPIPE');
        if (!isHangUp) reason = tlsFailure(error, this.#tls) ?? describe(error);
        end();
      };
      const timer = setTimeout(() => {
        reason = 'no connection in time';
        end();
      }, CONNECT_TIMEOUT_MS);
      socket.on('error', fail);
      socket.on('close', end);
      if (socket instanceof TLSSocket) {
        socket.on('secureConnect', () => {
          isJudged = true;
          if (socket.alpnProtocol === 'h2') session.start();
          else fail(new Error('the peer does not speak HTTP/2'));
        });
      } else {
        socket.on('connect', () => session.start());
      }
    });
  }

  #connectSocket(receive: (bytes: Buffer) => void): Socket {
    const { protocol, hostname, port } = new URL(this.#endpoint);
    const host = hostname.replace(/^\[|\]$/g, '');
    const reads = { onread: readsInto(Buffer.allocUnsafeSlow(READ_BYTES), receive) };
    if (protocol === 'http:') {
      return connectTcp({ host, port: Number(port || 80), noDelay: true, ...reads });
    }
    const { ca, cert, key } = this.#tls;
    const socket = connectTls({
      host,
      port: Number(port || 443),
      ALPNProtocols: ['h2'],
      // SNI must not carry an address (RFC 6066); the certificate is checked in both cases.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      // As in Go: what the file lists is trusted, be it an authority in the middle of a chain.
      allowPartialTrustChain: true,
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...reads,
    });
    socket.setNoDelay(true);
    return socket;
  }

  #keepAlive(session: H2Session, socket: Socket): void {
    let answer: NodeJS.Timeout | undefined;
    const timer = setInterval(() => {
      this.#giveUpIfSilent(session);
      const quiet = performance.now() - session.heardAt >= KEEPALIVE_MS;
      // Pings without an open stream count as an attack.
      if (!quiet || session.calls === 0 || answer !== undefined || session.isClosed) return;
      answer = setTimeout(() => session.destroy(), KEEPALIVE_TIMEOUT_MS);
      session.ping(() => {
        clearTimeout(answer);
        answer = undefined;
      });
    }, KEEPALIVE_MS);
    timer.unref();
    socket.once('close', () => {
      clearInterval(timer);
      clearTimeout(answer);
    });
  }

  /** What became of its other calls is not known; the next ones go elsewhere. */
  #giveUpIfSilent(session: H2Session): void {
    if (session.silence.lastsMs(performance.now()) < MAX_SILENCE_MS) return;
    this.retire(session);
    session.destroy('no call is answered');
  }

  /** No more attempts for a moment. */
  #rest(reason: string): EtcdCallError {
    this.#lastFailure = reason;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
    this.#pauseUntil = performance.now() + this.#pauseMs;
    return this.#refusal(reason);
  }

  #refusal(reason: string, cause?: unknown): EtcdCallError {
    return new EtcdCallError('refused', `${this.#endpoint}: no connection: ${reason}`, cause);
  }
}

/** The memory is read into again and again: a thread that reads a million objects would else begin a collection for each 64 MiB. */
function readsInto(memory: Buffer, receive: (bytes: Buffer) => void): OnReadOpts {
  const callback = (length: number): boolean => {
    receive(memory.subarray(0, length));
    return true;
  };
  return { buffer: memory, callback };
}

/** A short line; what OpenSSL says has its gist in `reason`. */
function describe(error: Error): string {
  const { code, reason } = error as NodeJS.ErrnoException & { reason?: unknown };
  const message = typeof reason === 'string' ? reason : error.message;
  return code === undefined || message.includes(code) ? message : `${code}: ${message}`;
}
