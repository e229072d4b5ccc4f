import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { CallError } from '../../outbound/call-error.ts';
import { connectionProblem } from '../../outbound/connection-problem.ts';
import { paceChunks } from '../../outbound/dense-chunks.ts';
import { limitInterimAnswers } from '../../outbound/interim-answers.ts';
import { addressOf } from '../../outbound/endpoint.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';
import { ApiError, internalError } from '../../api/api-error.ts';
import { EMPTY_BODY, textResponse, type ApiResponse } from '../../http/message.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { KeyPair } from '../../access/pki/certificates.ts';
import type { RemoteService } from './api-services.ts';
import { forwardedHeaders, returnedHeaders } from './forwarded-headers.ts';
import { remoteUserHeaders } from './identity-headers.ts';
import { OpenStreams, pushedAnswer, upgradedAnswer } from './proxied-stream.ts';
import { remoteEndpoint } from './remote-endpoint.ts';

interface ProxyOptions {
  readonly client: HttpsClient;
  /** The certificate by which other servers know that they may believe who asks. */
  readonly identity: () => KeyPair;
  readonly maxBodyBytes: number;
}

/** What the other server has begun to answer. */
type Reply =
  | { readonly kind: 'answer'; readonly message: IncomingMessage }
  | {
      readonly kind: 'upgrade';
      readonly message: IncomingMessage;
      readonly socket: Duplex;
      readonly head: Buffer;
    };

/** Says through how many servers a request has come, whose aggregation leads from one to the next. */
const HOPS = 'x-plinth-hops';
/** A request that has come through more goes round and round. */
const MAX_HOPS = 4;
const LOOP_DETECTED = 508;

/** Reading is repeated when a kept connection turns out to be dead; nothing else is. */
const REPEATABLE = new Set(['GET', 'HEAD']);

/**
 * Hands requests to the servers that answer for groups, as the user who asks:
 * told in headers, proven by this server's certificate. What proves the user to
 * this server goes no further. Source: behaviours 9.18.
 */
export class Proxy {
  readonly #options: ProxyOptions;
  readonly #streams = new OpenStreams();

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  /** Ends the streams that are open. */
  stop(): void {
    this.#streams.end();
  }

  /**
   * The other server's answer; 503 when it gives none, 508 when the request goes round in a loop.
   *
   * @throws ApiError when the request cannot be handed on
   */
  async handle(exchange: Exchange, remote: RemoteService): Promise<ApiResponse> {
    if (!remote.available) return unavailable('service unavailable');
    const path = forwardedPath(exchange);
    if (path === undefined) return textResponse(400, 'the path cannot be handed on\n');
    if (hopsOf(exchange) >= MAX_HOPS) {
      return textResponse(LOOP_DETECTED, 'aggregated servers hand the request on in a loop\n');
    }
    const headers = this.#headers(exchange);
    const { request } = exchange;
    const body = request.isUpgradable === true ? undefined : await this.#body(exchange);
    let reply: Reply;
    try {
      const send = (): Promise<Reply> => this.#send(exchange, remote, { path, headers, body });
      reply = await (exchange.whileWaiting?.(send) ?? send());
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (error instanceof CallError) return unreachable(error);
      if (exchange.signal.aborted) throw error;
      return unreachable(error as Error);
    }
    return this.#answer(exchange, reply);
  }

  #headers(exchange: Exchange): OutgoingHttpHeaders {
    const { request, user, auditId } = exchange;
    if (user === undefined) throw internalError('a request without a user cannot be handed on');
    const headers = {
      ...forwardedHeaders(request.headers),
      ...remoteUserHeaders(user),
      'x-forwarded-for': request.peer.address,
      'audit-id': auditId,
      [HOPS]: String(hopsOf(exchange) + 1),
    };
    if (request.isUpgradable !== true) return headers;
    return { ...headers, connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' };
  }

  async #body({ request }: Exchange): Promise<Buffer | undefined> {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (length === undefined && coding === undefined) return undefined;
    return request.body(this.#options.maxBodyBytes);
  }

  async #send(
    exchange: Exchange,
    remote: RemoteService,
    what: { path: string; headers: OutgoingHttpHeaders; body: Buffer | undefined },
  ): Promise<Reply> {
    const { client, identity } = this.#options;
    const { method, isUpgradable } = exchange.request;
    const endpoint = remoteEndpoint(remote, identity());
    const { body, path } = what;
    const headers: OutgoingHttpHeaders = { host: addressOf(endpoint), ...what.headers };
    if (body !== undefined) headers['content-length'] = body.length;
    const connection = client.connection(endpoint);
    // A stream has its connection for itself: it would be missing to the others for as long as it lasts.
    const isStream = isUpgradable === true || exchange.info.verb === 'watch';
    const options = { ...connection, method, path, headers, signal: exchange.signal };
    if (isStream) return exchangeMessages({ ...options, agent: false }, body);
    try {
      return await exchangeMessages(options, body);
    } catch (error) {
      if (!(error instanceof StaleConnection) || !REPEATABLE.has(method)) throw error;
      return exchangeMessages({ ...options, agent: false }, body);
    }
  }

  #answer({ info, request }: Exchange, reply: Reply): ApiResponse {
    const { message } = reply;
    const status = message.statusCode ?? 502;
    const headers = returnedHeaders(message.headers);
    if (reply.kind === 'upgrade') {
      if (request.isUpgradable !== true) {
        reply.socket.destroy();
        return textResponse(502, 'the backend changed the protocol without a request for it\n');
      }
      const upgrade = message.headers.upgrade ?? request.headers.upgrade ?? '';
      return {
        status,
        headers: { ...headers, connection: 'Upgrade', upgrade },
        body: upgradedAnswer(reply.socket, reply.head, this.#streams),
      };
    }
    if (status < LEAST_STATUS || status > MOST_STATUS) {
      message.destroy();
      return textResponse(502, `the backend answered with the status ${status}\n`);
    }
    if (WITHOUT_CONTENT.has(status)) {
      message.destroy();
      delete headers['content-length'];
      return { status, headers, body: EMPTY_BODY };
    }
    if (status >= 300 && status < 400 && message.headers.location !== undefined) {
      message.destroy();
      const why = 'the backend attempted to redirect this request, which is not permitted';
      return textResponse(502, `${why}\n`);
    }
    const isStream = info.verb === 'watch' && status === 200;
    return { status, headers, body: isStream ? pushedAnswer(message, this.#streams) : message };
  }
}

/** Of answers that end a request; others cannot be sent on. */
const LEAST_STATUS = 200;
const MOST_STATUS = 599;
/** Over HTTP/2 a length of what does not follow breaks the answer. */
const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205]);

class StaleConnection extends Error {}

function exchangeMessages(options: RequestOptions, body: Buffer | undefined): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(options);
    limitInterimAnswers(sent);
    let isAnswered = false;
    sent.on('response', (message) => {
      isAnswered = true;
      paceChunks(message);
      resolve({ kind: 'answer', message });
    });
    sent.on('upgrade', (message, socket, head) => {
      isAnswered = true;
      resolve({ kind: 'upgrade', message, socket, head });
    });
    sent.on('error', (error) => {
      const isStale = !isAnswered && sent.reusedSocket;
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    sent.end(body);
  });
}

/** A client that says what is not true harms its own request only. */
function hopsOf({ request }: Exchange): number {
  const hops = Number(request.headers[HOPS] ?? 0);
  return hops > 0 ? hops : 0;
}

/**
 * The path as it was authorized, segment by segment; undefined when another
 * server might understand it differently.
 */
function forwardedPath({ info, request }: Exchange): string | undefined {
  const segments = info.path.split('/');
  if (segments.includes('.') || segments.includes('..')) return undefined;
  const path = segments.map(escapedSegment).join('/');
  const query = request.query.toString();
  return query === '' ? path : `${path}?${query}`;
}

const HARMLESS = /%(?:21|24|26|27|28|29|2A|2B|2C|3A|3B|3D|40)/g;

function escapedSegment(segment: string): string {
  return encodeURIComponent(segment).replace(HARMLESS, decodeURIComponent);
}

function unavailable(message: string): ApiResponse {
  return textResponse(503, `${message}\n`);
}

function unreachable(error: Error): ApiResponse {
  const why = error instanceof StaleConnection ? (error.cause as Error) : error;
  return unavailable(`error trying to reach service: ${connectionProblem(why)}`);
}
