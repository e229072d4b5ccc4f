import type { EventEmitter } from 'node:events';
import {
  constants,
  performServerHandshake,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { Cancellation } from '../cancellation.ts';
import { ClientGone } from '../client-gone.ts';
import type { Peer } from '../message.ts';
import { peerOfSocket } from '../peer.ts';
import { PerTurn } from '../../api/per-turn.ts';
import { discard, send, userOf, type Handle } from '../send.ts';
import { Http2Answer } from './answer.ts';
import { apiRequestOf, type Http2Head } from './request.ts';
import { ConnectionTurns } from './turns.ts';

/** Bytes of the head of one request, as for HTTP/1.1. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Headers of one request. */
const MAX_HEADERS = 1_000;
/** Streams with a malformed head, after which Node ends the connection. */
const MAX_BAD_STREAMS = 100;
/** MB that Node keeps for one connection: what waits to be sent, and the tables of headers. */
const MAX_SESSION_MB = 64;
/** Bytes of a body that may come before they are asked for; of each stream. */
const WINDOW_BYTES = 64 * 1024;
/** Streams, of all connections, that begin in one turn of the event loop: each takes about 0.2 ms. */
const STREAMS_PER_TURN = 32;
/** Characters of a head that count for a stream more: paths, selectors and tokens are read in time that their length tells. */
const HEAD_CHARACTERS = 2 * 1024;

export interface Http2Options {
  /** Streams that a connection may have open. */
  readonly maxStreams: number;
  /** A connection without a stream is closed after so long. */
  readonly idleMs: number;
  readonly handle: Handle;
  /** An answer cannot be sent: a client never causes that. */
  readonly onDefect: (error: unknown) => void;
}

/** HTTP/2 connections, by their sockets. */
const sessions = new WeakMap<object, ServerHttp2Session>();

/** The HTTP/2 session on a connection; undefined: it speaks HTTP/1.1. */
export function sessionOn(socket: object): ServerHttp2Session | undefined {
  return sessions.get(socket);
}

/**
 * Serves connections whose client has chosen `h2` by ALPN; all others stay with
 * Node's HTTP/1.1 server. Every stream goes to `handle`, not through Express,
 * which cannot take it (docs/decisions/0017-http2.md).
 *
 * To be called before other listeners of `secureConnection` are added.
 */
export function serveHttp2(server: Server, options: Http2Options): void {
  /** Connections without a stream; at the highest number of connections they give way to new ones. */
  const idle = new Set<Http2Connection>();
  const perTurn = new PerTurn(STREAMS_PER_TURN);
  server.on('drop', () => {
    for (const connection of idle) connection.close();
  });
  const http1 = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') new Http2Connection(socket, options, idle, perTurn);
    else for (const listener of http1) listener.call(server, socket);
  });
}

/** For how many streams one counts, by the work that its head makes. */
function weightOf({ rawHeaders }: Http2Head): number {
  let characters = 0;
  for (const text of rawHeaders) characters += text.length;
  return 1 + Math.floor(characters / HEAD_CHARACTERS);
}

type StreamListener = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: string[],
) => void;

/** One connection and its streams. */
class Http2Connection {
  readonly #session: ServerHttp2Session;
  readonly #peer: Peer;
  readonly #turns: ConnectionTurns;
  readonly #options: Http2Options;
  readonly #idle: Set<Http2Connection>;
  readonly #perTurn: PerTurn;
  #open = 0;

  /** `idle`: where it is as long as it has no stream. `perTurn`: shared by all connections. */
  constructor(
    socket: TLSSocket,
    options: Http2Options,
    idle: Set<Http2Connection>,
    perTurn: PerTurn,
  ) {
    this.#options = options;
    this.#idle = idle;
    this.#perTurn = perTurn;
    idle.add(this);
    socket.once('close', () => idle.delete(this));
    this.#peer = peerOfSocket(socket);
    this.#turns = new ConnectionTurns(options.maxStreams);
    this.#session = performServerHandshake(socket, {
      maxSessionMemory: MAX_SESSION_MB,
      maxHeaderListPairs: MAX_HEADERS,
      maxSessionRejectedStreams: MAX_BAD_STREAMS,
      maxSessionInvalidFrames: MAX_BAD_STREAMS,
      settings: {
        enablePush: false,
        initialWindowSize: WINDOW_BYTES,
        maxConcurrentStreams: options.maxStreams,
        maxHeaderListSize: MAX_HEADER_BYTES,
      },
    });
    sessions.set(socket, this.#session);
    // Its end follows; what was asked for on its streams is told by each of them.
    this.#session.on('error', () => undefined);
    this.#session.setTimeout(options.idleMs, () => {
      if (this.#open === 0) this.close();
    });
    const emitter: EventEmitter = this.#session;
    // Node's types leave out the last argument.
    const onStream: StreamListener = (stream, headers, flags, rawHeaders) => {
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      this.#accept(stream, { headers, rawHeaders }, isWhole);
    };
    emitter.on('stream', onStream);
  }

  /** Streams that are open end first. */
  close(): void {
    this.#session.close();
  }

  #accept(stream: ServerHttp2Stream, head: Http2Head, isWhole: boolean): void {
    const cancellation = new Cancellation();
    if (this.#open++ === 0) this.#idle.delete(this);
    stream.on('error', () => undefined);
    // Without a body there is nothing to wait for: a stream counts for Node until its end is read.
    if (isWhole) stream.resume();
    stream.on('close', () => {
      if (--this.#open === 0 && !this.#session.destroyed) this.#idle.add(this);
      this.#turns.drop(stream);
      // Node ends the body of a stream that its client has reset, whether there was an answer or not.
      const isCut = stream.aborted || !stream.writableFinished;
      if (isCut) cancellation.abort(new ClientGone());
    });
    this.#turns.add(stream, () => {
      this.#perTurn.run(() => {
        this.#serve(stream, head, cancellation)
          .catch((error: unknown) => {
            this.#options.onDefect(error);
            stream.close(constants.NGHTTP2_INTERNAL_ERROR);
          })
          .finally(() => this.#turns.end());
      }, weightOf(head));
    });
  }

  async #serve(
    stream: ServerHttp2Stream,
    head: Http2Head,
    cancellation: Cancellation,
  ): Promise<void> {
    const rest = (until: (resume: () => void) => void): void => {
      stream.once('close', () => this.#turns.rest(until));
    };
    const request = apiRequestOf(stream, head, { cancellation, peer: this.#peer, rest });
    const response = await this.#options.handle(request);
    if (cancellation.reason instanceof ClientGone) return discard(response);
    const answered = {
      method: request.method,
      complete: stream.readableEnded,
      resume: () => stream.resume(),
    };
    const answer = new Http2Answer(stream, this.#session);
    await send(answered, answer, response, { user: userOf(request) });
  }
}
