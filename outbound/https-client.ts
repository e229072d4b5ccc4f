import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext, type SecureContext } from 'node:tls';
import type { Clock } from '../api/clock.ts';
import { PerTurn } from '../api/per-turn.ts';
import { connectionProblem } from './connection-problem.ts';
import { CallError } from './call-error.ts';
import { paceChunks } from './dense-chunks.ts';
import { addressOf, type Endpoint } from './endpoint.ts';
import { limitInterimAnswers } from './interim-answers.ts';
import { guardedLookup, refuseAddress } from './refused-addresses.ts';
import type { Address, ServiceResolver } from './service-resolver.ts';
import { systemRoots } from './system-roots.ts';

/** Connections to one endpoint at a time; further calls wait for one, within their own time. */
const MAX_CONNECTIONS = 256;
/** Idle connections that are kept for later calls, and for how long. */
const MAX_IDLE_CONNECTIONS = 32;
const IDLE_MS = 60_000;
/** Endpoints whose connections are kept; the one that was called longest ago goes first. */
const MAX_POOLS = 500;
/** Calls that time out in one turn of the event loop: each takes up to 0.5 ms, with the connection for the next call. */
const TIMEOUTS_PER_TURN = 8;

interface HttpsCall {
  readonly endpoint: Endpoint;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
  /** For everything: connecting, sending, and the answer to its last byte. */
  readonly timeoutMs: number;
  /** The longest body that is taken. */
  readonly maxBytes: number;
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Options of `https.request`, with what Node takes of those of `tls.connect`. */
interface Connection extends RequestOptions {
  readonly secureContext: SecureContext;
}

interface HttpsClientOptions {
  readonly resolver: ServiceResolver;
  readonly clock: Clock;
}

/**
 * Calls webhooks and other API servers: HTTPS with verified certificates,
 * connections that are used again, no redirects, answers of bounded length in
 * bounded time. Calls of one endpoint never wait for those of another.
 */
export class HttpsClient {
  readonly #resolver: ServiceResolver;
  readonly #clock: Clock;
  readonly #pools = new Map<string, Pool>();
  readonly #timeouts = new PerTurn(TIMEOUTS_PER_TURN);

  constructor({ resolver, clock }: HttpsClientOptions) {
    this.#resolver = resolver;
    this.#clock = clock;
  }

  /**
   * The answer, whatever its status.
   *
   * @throws CallError
   */
  async call(call: HttpsCall): Promise<HttpsAnswer> {
    const attempt = new Attempt(call, this.#clock, this.#timeouts);
    try {
      const options = this.connection(call.endpoint);
      try {
        return await attempt.run(options);
      } catch (error) {
        // The other side has closed a connection that lay idle just when it was to be used.
        if (!(error instanceof StaleConnection)) throw error;
        return await attempt.run({ ...options, agent: false });
      }
    } catch (error) {
      throw attempt.failure(error);
    } finally {
      attempt.end();
    }
  }

  /**
   * How to connect to an endpoint, for `https.request`.
   *
   * @throws CallError when the service cannot be resolved
   */
  connection(endpoint: Endpoint): Connection {
    const { host, port } = this.#addressOf(endpoint);
    const { agent, secureContext } = this.#poolOf(endpoint, host, port);
    return {
      host,
      port,
      servername: isIP(endpoint.serverName) === 0 ? endpoint.serverName : '',
      checkServerIdentity: (_, certificate) =>
        checkServerIdentity(endpoint.serverName, certificate),
      rejectUnauthorized: !endpoint.insecure,
      lookup: guardedLookup,
      secureContext,
      agent,
    };
  }

  /** Ends all connections. */
  close(): void {
    for (const { agent } of this.#pools.values()) agent.destroy();
    this.#pools.clear();
  }

  #addressOf({ service, host, port }: Endpoint): Address {
    let address: Address = { host, port };
    if (service !== undefined) {
      try {
        address = this.#resolver.resolve(service);
      } catch (error) {
        throw new CallError('refused', (error as Error).message, error);
      }
    }
    refuseAddress(address.host);
    return address;
  }

  /** Connections are shared by what is called in the same way. */
  #poolOf(endpoint: Endpoint, host: string, port: number): Pool {
    const { authorities = '', insecure, serverName, identity } = endpoint;
    const key = `${host} ${port} ${serverName} ${insecure} ${identity?.certificate ?? ''} ${authorities}`;
    const pool = this.#pools.get(key) ?? newPool(endpoint);
    // the map is in the order of use
    this.#pools.delete(key);
    this.#pools.set(key, pool);
    for (const [oldest, unused] of this.#pools) {
      if (this.#pools.size <= MAX_POOLS) break;
      this.#pools.delete(oldest);
      retire(unused);
    }
    return pool;
  }
}

interface Pool {
  readonly agent: Agent;
  /** Made once: reading the authorities of a system takes milliseconds. */
  readonly secureContext: SecureContext;
}

function newPool({ authorities, identity }: Endpoint): Pool {
  let secureContext: SecureContext;
  try {
    secureContext = createSecureContext({
      ca: authorities ?? [...systemRoots()],
      // As in Go: what the bundle lists is trusted, be it an authority in the middle of a chain or
      // the certificate of the server itself.
      allowPartialTrustChain: true,
      minVersion: 'TLSv1.2',
      ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.key }),
    });
  } catch (error) {
    const why = `unable to load root certificates: ${(error as Error).message}`;
    throw new CallError('refused', why, error);
  }
  const agent = new Agent({
    keepAlive: true,
    maxSockets: MAX_CONNECTIONS,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    timeout: IDLE_MS,
  });
  return { agent, secureContext };
}

/** Calls under way go on; their connections are not kept. */
function retire({ agent }: Pool): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

class StaleConnection extends Error {}

/** One call on its way, over one connection or, if that was stale, a second one. */
class Attempt {
  readonly #call: HttpsCall;
  readonly #giveUp = new AbortController();
  readonly #endings: (() => void)[] = [];
  #why: CallError | undefined;

  constructor(call: HttpsCall, clock: Clock, timeouts: PerTurn) {
    this.#call = call;
    const { signal, timeoutMs } = call;
    const aborted = (): void => this.#stop(new CallError('aborted', 'context canceled'));
    if (signal?.aborted === true) aborted();
    signal?.addEventListener('abort', aborted, { once: true });
    this.#endings.push(
      () => signal?.removeEventListener('abort', aborted),
      clock.after(timeoutMs, () =>
        timeouts.run(() => this.#stop(new CallError('timeout', 'context deadline exceeded'))),
      ),
    );
  }

  end(): void {
    for (const end of this.#endings) end();
  }

  run(connection: Connection): Promise<HttpsAnswer> {
    const { method, path, headers, body, endpoint, maxBytes } = this.#call;
    return new Promise((resolve, reject) => {
      const sent = request({
        ...connection,
        method,
        path,
        signal: this.#giveUp.signal,
        headers: {
          host: addressOf(endpoint),
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      });
      limitInterimAnswers(sent);
      let isAnswered = false;
      sent.on('response', (response) => {
        isAnswered = true;
        paceChunks(response);
        readAnswer(response, maxBytes).then(resolve, reject);
      });
      sent.on('error', (error) => {
        const isStale = !isAnswered && sent.reusedSocket && this.#why === undefined;
        reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
      });
      sent.end(body);
    });
  }

  /** What went wrong, in words that name the address. */
  failure(error: unknown): CallError {
    const why = this.#why ?? error;
    if (why instanceof CallError && why.kind === 'refused') return why;
    const { method, endpoint, path } = this.#call;
    const what = `${titled(method)} "https://${addressOf(endpoint)}${path}"`;
    const kind = why instanceof CallError ? why.kind : 'unreachable';
    const told = why instanceof CallError ? why.message : connectionProblem(why as Error);
    return new CallError(kind, `${what}: ${told}`, why);
  }

  #stop(why: CallError): void {
    this.#why ??= why;
    this.#giveUp.abort();
  }
}

function titled(method: string): string {
  return method.charAt(0) + method.slice(1).toLowerCase();
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<HttpsAnswer> {
  const tooLong = (): CallError =>
    new CallError('tooLarge', `the response is longer than ${maxBytes} bytes`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy();
    throw tooLong();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // leaving the loop closes the connection
    if (size > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  const { statusCode = 0, headers } = response;
  return { status: statusCode, headers, body: Buffer.concat(chunks, size) };
}
