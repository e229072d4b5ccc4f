import type { CancelSignal } from '../../api/cancel-signal.ts';
import { EtcdCallError } from './call-error.ts';
import type { EtcdClient, UnaryOptions, WatchConnection, WatchHandlers } from './client.ts';
import { decodeResponse } from './decode.ts';
import { encodeRequest } from './encode.ts';
import { FrameError, FrameParser, MAX_ANSWER_BYTES, MessageTooLargeError } from './grpc-frames.ts';
import { readStatus } from './grpc-status.ts';
import { H2Connection } from './h2-connection.ts';
import type { H2Session } from './http2/session.ts';
import type { H2Stream, Head, StreamListener } from './http2/stream.ts';
import type { HeadField } from './http2/hpack-encoder.ts';
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
const MAX_HEADS = 32;

/**
 * A member of the cluster over gRPC, which on the wire is little: a POST over
 * HTTP/2 with length-prefixed messages and a status in the trailers. Written out
 * here it takes half the CPU time of a call through the gRPC library, and calls
 * to etcd are most of what a write costs this server.
 */
export class H2Client implements EtcdClient {
  readonly endpoint: string;
  readonly #connection: H2Connection;
  readonly #heads = new Map<string, readonly HeadField[]>();

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
      const start = (session: H2Session): void => {
        const head = this.#headFor(PATH[method], options.token, !WITHOUT_LEADER.has(method));
        const finish = (bytes: Buffer): void => resolve(decodeResponse(method, bytes));
        const unary = new UnaryCall(this.endpoint, this.#connection, finish, reject);
        unary.start(session, head, encodeRequest(method, request), options);
      };
      const { session } = this.#connection;
      if (session !== undefined) start(session);
      else this.#connected(options).then(start).catch(reject);
    });
  }

  watch(handlers: WatchHandlers, token: string | undefined): WatchConnection {
    const head = this.#headFor(WATCH_PATH, token, true);
    return new WatchCall(this.endpoint, this.#connection, head, handlers);
  }

  close(): void {
    this.#connection.close();
  }

  /** The connection goes on being made for others when one caller gives up, or has waited for as long as its call may take. */
  async #connected({ timeoutMs, signal }: UnaryOptions): Promise<H2Session> {
    const connecting = this.#connection.connect();
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => undefined;
    const givenUp = new Promise<never>((_resolve, reject) => {
      onAbort = () =>
        reject(new EtcdCallError('cancelled', 'the request was cancelled', signal?.reason));
      signal?.addEventListener('abort', onAbort, { once: true });
      timer = setTimeout(() => {
        reject(new EtcdCallError('refused', `${this.endpoint}: no connection in time`));
      }, timeoutMs);
    });
    try {
      return await Promise.race([connecting, givenUp]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** `hasleader` makes a member that is cut off from the others say so instead of waiting. */
  #headFor(path: string, token: string | undefined, hasLeader: boolean): readonly HeadField[] {
    const id = `${path} ${token ?? ''}`;
    let head = this.#heads.get(id);
    if (head === undefined) {
      if (this.#heads.size >= MAX_HEADS) this.#heads.clear();
      head = [
        ...headStart(this.endpoint, path),
        ...(hasLeader ? [{ name: 'hasleader', value: 'true' }] : []),
        ...(token === undefined ? [] : [{ name: 'token', value: token, secret: true }]),
      ];
      this.#heads.set(id, head);
    }
    return head;
  }
}

function headStart(endpoint: string, path: string): HeadField[] {
  const { protocol, host } = new URL(endpoint);
  return [
    { name: ':method', value: 'POST' },
    { name: ':scheme', value: protocol.slice(0, -1) },
    { name: ':path', value: path },
    { name: ':authority', value: host },
    { name: 'content-type', value: 'application/grpc' },
    { name: 'te', value: 'trailers' },
  ];
}

/** One request and its one response. */
class UnaryCall implements StreamListener {
  readonly #endpoint: string;
  readonly #connection: H2Connection;
  readonly #resolve: (bytes: Buffer) => void;
  readonly #reject: (error: EtcdCallError) => void;
  readonly #parser = new FrameParser(MAX_ANSWER_BYTES);
  #message: Buffer | undefined;
  #status: Head | undefined;
  #stream: H2Stream | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;
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
    session: H2Session,
    head: readonly HeadField[],
    message: Buffer,
    { timeoutMs, signal }: UnaryOptions,
  ): void {
    const stream = this.#connection.stream(session, head, this);
    this.#stream = stream;
    const roundedMs = Math.ceil(timeoutMs / TIMER_STEP_MS) * TIMER_STEP_MS;
    this.#timer = setTimeout(() => {
      this.#fail('deadline', `no answer within ${timeoutMs.toFixed(0)} ms`);
      this.#connection.missed(session, roundedMs);
    }, roundedMs);
    if (signal !== undefined) this.#heed(signal);
    stream.end(message);
  }

  onHead(head: Head): void {
    if (head['grpc-status'] !== undefined) this.#status = head;
  }

  onData(bytes: Buffer): void {
    try {
      this.#parser.push(bytes, (message) => {
        if (this.#message !== undefined) throw new FrameError('more than one message');
        this.#message = message;
      });
    } catch (error) {
      const failure = error instanceof MessageTooLargeError ? 'answerTooLarge' : 'lost';
      this.#fail(failure, 'an answer that cannot be read', error);
    }
  }

  onEnd(): void {
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

  onLost(details: string, refused: boolean): void {
    this.#fail(refused ? 'refused' : 'lost', details);
  }

  #heed(signal: CancelSignal): void {
    const onAbort = (): void => this.#fail('cancelled', 'the request was cancelled', signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#stopListening = () => signal.removeEventListener('abort', onAbort);
  }

  #fail(failure: EtcdCallError['failure'], details: string, cause?: unknown): void {
    if (this.#settled) return;
    this.#settle();
    this.#stream?.cancel();
    this.#reject(new EtcdCallError(failure, `${this.#endpoint}: ${details}`, cause));
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }
}
