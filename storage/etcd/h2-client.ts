import type { CancelSignal } from '../../api/cancel-signal.ts';
import {
  constants,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { EtcdCallError } from './call-error.ts';
import type { EtcdClient, UnaryOptions, WatchConnection, WatchHandlers } from './client.ts';
import { decodeResponse } from './decode.ts';
import { encodeRequest } from './encode.ts';
import { FrameParser } from './grpc-frames.ts';
import { readStatus } from './grpc-status.ts';
import { H2Connection } from './h2-connection.ts';
import type { TlsMaterial } from './tls-files.ts';
import { WatchCall } from './watch-call.ts';
import type { Method, Methods } from './wire.ts';

const PATH: Record<Method, string> = {
  range: '/etcdserverpb.KV/Range',
  txn: '/etcdserverpb.KV/Txn',
  compact: '/etcdserverpb.KV/Compact',
  leaseGrant: '/etcdserverpb.Lease/LeaseGrant',
  alarms: '/etcdserverpb.Maintenance/Alarm',
  status: '/etcdserverpb.Maintenance/Status',
  authenticate: '/etcdserverpb.Auth/Authenticate',
};
const WATCH_PATH = '/etcdserverpb.Watch/Watch';
/** A member that has lost its leader may still tell its version and check a password. */
const WITHOUT_LEADER: ReadonlySet<Method> = new Set(['status', 'alarms', 'authenticate']);
/** Timers of equal length share a list in Node. */
const TIMER_STEP_MS = 100;
/** Tokens change rarely; only the newest are worth keeping. */
const MAX_HEADER_SETS = 32;

/**
 * A member of the cluster over gRPC, which on the wire is little: a POST over
 * HTTP/2 with length-prefixed messages and a status in the trailers. Written out
 * here it takes half the CPU time of a call through the gRPC library, and calls
 * to etcd are most of what a write costs this server.
 */
export class H2Client implements EtcdClient {
  readonly endpoint: string;
  readonly #connection: H2Connection;
  readonly #headers = new Map<string, OutgoingHttpHeaders>();

  /** `endpoint` is an http(s) URL; the connection is made with the first call. */
  constructor(endpoint: string, tls: TlsMaterial) {
    this.endpoint = endpoint;
    this.#connection = new H2Connection(endpoint, tls);
  }

  call<M extends Method>(
    method: M,
    request: Methods[M]['request'],
    options: UnaryOptions,
  ): Promise<Methods[M]['response']> {
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted === true) {
        reject(new EtcdCallError('cancelled', 'the request was cancelled', options.signal.reason));
        return;
      }
      const start = (session: ClientHttp2Session): void => {
        const headers = this.#headersFor(PATH[method], options.token, !WITHOUT_LEADER.has(method));
        const finish = (bytes: Buffer): void => resolve(decodeResponse(method, bytes));
        const unary = new UnaryCall(this.endpoint, this.#connection, finish, reject);
        unary.start(session, headers, encodeRequest(method, request), options);
      };
      const { session } = this.#connection;
      if (session !== undefined) start(session);
      else this.#connected(options.signal).then(start).catch(reject);
    });
  }

  watch(handlers: WatchHandlers, token: string | undefined): WatchConnection {
    const headers = this.#headersFor(WATCH_PATH, token, true);
    return new WatchCall(this.endpoint, this.#connection, headers, handlers);
  }

  close(): void {
    this.#connection.close();
  }

  /** The connection goes on being made for others when one caller gives up. */
  async #connected(signal: CancelSignal | undefined): Promise<ClientHttp2Session> {
    const connecting = this.#connection.connect();
    if (signal === undefined) return connecting;
    let onAbort = (): void => undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () =>
        reject(new EtcdCallError('cancelled', 'the request was cancelled', signal.reason));
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([connecting, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** `hasleader` makes a member that is cut off from the others say so instead of waiting. */
  #headersFor(path: string, token: string | undefined, hasLeader: boolean): OutgoingHttpHeaders {
    const id = `${path} ${token ?? ''}`;
    let headers = this.#headers.get(id);
    if (headers === undefined) {
      if (this.#headers.size >= MAX_HEADER_SETS) this.#headers.clear();
      headers = {
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...(hasLeader ? { hasleader: 'true' } : {}),
        ...(token === undefined ? {} : { token }),
      };
      this.#headers.set(id, headers);
    }
    return headers;
  }
}

/** One request and its one response. */
class UnaryCall {
  readonly #endpoint: string;
  readonly #connection: H2Connection;
  readonly #resolve: (bytes: Buffer) => void;
  readonly #reject: (error: EtcdCallError) => void;
  readonly #parser = new FrameParser();
  #message: Buffer | undefined;
  #status: IncomingHttpHeaders | undefined;
  #timer: NodeJS.Timeout | undefined;
  #settled = false;

  constructor(
    endpoint: string,
    connection: H2Connection,
    resolve: (bytes: Buffer) => void,
    reject: (error: EtcdCallError) => void,
  ) {
    this.#endpoint = endpoint;
    this.#connection = connection;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** @throws EtcdCallError `refused`: nothing was sent */
  start(
    session: ClientHttp2Session,
    headers: OutgoingHttpHeaders,
    message: Buffer,
    { timeoutMs, signal }: UnaryOptions,
  ): void {
    const stream = this.#connection.stream(session, headers, (status) => {
      this.#status = status;
    });
    const roundedMs = Math.ceil(timeoutMs / TIMER_STEP_MS) * TIMER_STEP_MS;
    this.#timer = setTimeout(() => {
      this.#fail('deadline', `no answer within ${timeoutMs.toFixed(0)} ms`);
      stream.close(constants.NGHTTP2_CANCEL);
    }, roundedMs);
    const onAbort = (): void => {
      this.#fail('cancelled', 'the request was cancelled', signal?.reason);
      stream.close(constants.NGHTTP2_CANCEL);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('end', () => this.#finish());
    stream.on('error', (error: Error) => {
      const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      this.#fail(refused ? 'refused' : 'lost', error.message, error);
    });
    stream.on('close', () => {
      signal?.removeEventListener('abort', onAbort);
      this.#fail('lost', 'the connection was lost');
    });
    stream.end(message);
  }

  #receive(chunk: Buffer): void {
    try {
      this.#parser.push(chunk, (message) => {
        this.#message = message;
      });
    } catch (error) {
      this.#fail('lost', 'an answer that cannot be read', error);
    }
  }

  #finish(): void {
    if (this.#settled) return;
    this.#connection.heard();
    const status = this.#status?.['grpc-status'];
    if (status !== '0') {
      const { failure, details } = readStatus(this.#status);
      this.#fail(failure, details);
      return;
    }
    const message = this.#message;
    if (message === undefined) {
      this.#fail('lost', 'an answer without a message');
      return;
    }
    try {
      this.#resolve(message);
      this.#settle();
    } catch (error) {
      this.#fail('lost', 'an answer that cannot be read', error);
    }
  }

  #fail(failure: EtcdCallError['failure'], details: string, cause?: unknown): void {
    if (this.#settled) return;
    this.#settle();
    this.#reject(new EtcdCallError(failure, `${this.#endpoint}: ${details}`, cause));
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
  }
}
