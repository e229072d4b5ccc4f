import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../api/clock.ts';
import { connectionBound, limitConnections, type ConnectionBound } from './connection-limit.ts';
import type { HttpApplication } from './express-adapter.ts';
import { lingerAtClose } from './linger.ts';
import { serveHttp2, type Http2Options } from './h2/sessions.ts';
import { shareIdleTimer } from './idle-timer.ts';
import { spreadEnds } from './spread-ends.ts';
import { spreadStarts } from './spread-starts.ts';
import { continueInTurn } from './pipeline.ts';
import { trustPartialChains } from './partial-chains.ts';
import type { TlsContexts } from './tls-contexts.ts';
import { stopReadsOnly } from './unread-answers.ts';

/** A client that takes longer to say what it wants is cut off (kube-apiserver: 32 s). */
const HEADERS_TIMEOUT_MS = 32_000;
/** An idle connection is kept for the next request. */
const KEEP_ALIVE_MS = 90_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 64 * 1024;
/** Connections that are slow with their requests are looked for this often. */
const LOOK_PERIOD_MS = 1_000;

/** What one connection may take, and how many there may be. */
export interface ConnectionLimits {
  readonly handshakeMs: number;
  readonly headersMs: number;
  readonly idleMs: number;
  /** Absent: as many as the process can have. */
  readonly bound?: ConnectionBound;
}

const LIMITS: ConnectionLimits = {
  handshakeMs: HANDSHAKE_TIMEOUT_MS,
  headersMs: HEADERS_TIMEOUT_MS,
  idleMs: KEEP_ALIVE_MS,
};

interface HttpsOptions {
  readonly tls: TlsContexts;
  /** How long a request may take to arrive, with its body. */
  readonly requestTimeoutMs: number;
  readonly onHandshakeError: () => void;
  /** What an operator should know of the connections. */
  readonly onProblem: (message: string) => void;
  readonly clock: Clock;
  /** Absent: HTTP/1.1 only. */
  readonly http2?: Omit<Http2Options, 'idleMs'> | undefined;
}

/**
 * The HTTPS server: HTTP/1.1 by Express, and HTTP/2 for clients that choose it by ALPN, where
 * `options.http2` is given.
 */
export function createHttpsServer(
  options: HttpsOptions,
  application: HttpApplication,
  limits: ConnectionLimits = LIMITS,
): Server {
  const server = createServer(
    {
      ...application.messages,
      ...options.tls.options,
      SNICallback: options.tls.byName,
      requestCert: true,
      // A certificate that does not verify counts as no credential; the connection stays open.
      rejectUnauthorized: false,
      ALPNProtocols: options.http2 === undefined ? ['http/1.1'] : ['h2', 'http/1.1'],
      handshakeTimeout: limits.handshakeMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: LOOK_PERIOD_MS,
    },
    application.listener,
  );
  trustPartialChains(server);
  if (options.http2 !== undefined) serveHttp2(server, { ...options.http2, idleMs: limits.idleMs });
  server.on('upgrade', application.upgrade);
  continueInTurn(server);
  server.requestTimeout = options.requestTimeoutMs;
  server.headersTimeout = Math.min(limits.headersMs, options.requestTimeoutMs);
  server.keepAliveTimeout = limits.idleMs;
  shareIdleTimer(server);
  spreadEnds(server);
  stopReadsOnly(server);
  lingerAtClose(server);
  // Bounded by their bytes. A bound on their number would leave out the last ones silently, whatever they say.
  server.maxHeadersCount = 0;
  server.on('tlsClientError', options.onHandshakeError);
  spreadStarts(server, limits.handshakeMs);
  limitConnections(server, limits.bound ?? connectionBound(), options);
  return server;
}

/**
 * Listens; the port in the result is the real one when 0 was asked for.
 *
 * @throws Error with one line when the address cannot be had
 */
export function listen(server: Server, address: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
