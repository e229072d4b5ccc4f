import { internalError } from '../../api/api-error.ts';
import { SUPERUSERS, type UserInfo } from '../../api/user.ts';
import type { Query } from '../../api/query.ts';
import { isPushed, type ApiResponse, type Peer } from '../../http/message.ts';
import { measuredBody } from '../../telemetry/metrics/measured-body.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';
import { requestKey } from '../../telemetry/metrics/request-stage.ts';
import { attempted, type Answer, type Exchange, type Stage } from '../../http/exchange.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import { Expiring } from '../../api/expiries.ts';
import type { Pass } from './gate.ts';
import { BodiesAway, type Sender } from './bodies-away.ts';
import type { Limits, SeatKind } from './limits.ts';

const READ_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);
/** Probes are answered whatever the load is: otherwise load becomes a restart. */
const HEALTH = /^\/(?:healthz|livez|readyz)(?:\/|$)/;
/** Bytes of an answer that cost about as much as one seat. */
const BYTES_PER_SEAT = 32 * 1024;

interface LimitStageOptions {
  readonly limits: Limits;
  /** How many seats a list takes. */
  readonly widthOf: (info: RequestInfo, query: Query) => number;
  readonly metrics: Metrics;
}

/**
 * Lets requests in as the limits say; superusers and probes always. A seat is
 * held until the answer is made, and until the last piece of a long one has
 * gone, but not during calls to other servers; a watch has one until it is
 * accepted. Source: behaviours 11.3.
 */
export function limitStage({ limits, widthOf, metrics }: LimitStageOptions): Stage {
  const bodies = new BodiesAway();
  return {
    name: 'limit',
    handle(exchange, next) {
      const { user, info, request } = exchange;
      if (user === undefined) throw internalError('no user at the limits');
      const client = clientOf(request.peer, user.name);
      if (isExempt(user, info)) return next(exchange);
      const isStream = info.verb === 'watch';
      if (isStream && !limits.streams.hasRoom(user.name)) {
        metrics.load.terminated(requestKey(exchange), 429);
        throw limits.noMoreStreams();
      }
      const kind: SeatKind = READ_VERBS.has(info.verb) ? 'readOnly' : 'mutating';
      const width = info.verb === 'list' ? widthOf(info, request.query) : 1;
      const work = (pass: Pass): Answer => {
        const sender = senderOf(exchange, user.name, kind);
        exchange.whileWaiting = (call) =>
          bodies.while(sender, () => limits.whileWaiting(kind, pass, call));
        const failed = (error: unknown): never => {
          limits.leave(kind, pass);
          throw error;
        };
        const answered = (response: ApiResponse): ApiResponse =>
          seatedUntilSent(limits, kind, pass, user, response);
        return attempted(next, exchange, failed, answered);
      };
      const pass = limits.tryEnter(kind, user.name, width);
      if (pass !== undefined) return work(pass);
      // A client that asks for more than its share is held up where it costs nothing.
      if (client.user === user.name) request.rest?.(restOf(limits, kind, client));
      return waiting(exchange, { limits, metrics, kind, width, work, user: user.name });
    },
  };
}

/** Counts the bytes of the body when it is read. */
function senderOf(exchange: Exchange, user: string, kind: SeatKind): Sender {
  const { request } = exchange;
  const sender: Sender = { user, bytes: 0, calls: 0, counted: 0 };
  if (kind === 'readOnly') return sender;
  const body = async (maxBytes: number): Promise<Buffer> => {
    const bytes = await request.body(maxBytes);
    sender.bytes = bytes.length;
    return bytes;
  };
  exchange.request = { ...request, body };
  return sender;
}

/** A function of its own: a resting connection must not keep alive what its last request needed. */
function restOf(limits: Limits, kind: SeatKind, client: Client): (resume: () => void) => void {
  return (resume) => {
    client.resting ??= new Expiring(resume);
    limits.rest(kind, client.user, client.resting);
  };
}

/** A connection. */
interface Client {
  /** Whose requests it has brought; several users': that of a proxy. */
  user: string;
  resting: Expiring | undefined;
}

const clients = new WeakMap<Peer, Client>();
const SEVERAL = '';

function clientOf(peer: Peer, user: string): Client {
  let client = clients.get(peer);
  if (client === undefined) {
    client = { user, resting: undefined };
    clients.set(peer, client);
  } else if (client.user !== user) {
    client.user = SEVERAL;
  }
  return client;
}

function isExempt({ groups }: UserInfo, { isResource, path }: RequestInfo): boolean {
  return groups.includes(SUPERUSERS) || (!isResource && HEALTH.test(path));
}

function waiting(
  exchange: Exchange,
  use: {
    limits: Limits;
    metrics: Metrics;
    kind: SeatKind;
    width: number;
    user: string;
    work: (pass: Pass) => Answer;
  },
): Promise<ApiResponse> {
  const { limits, metrics, kind, work, user, width } = use;
  const { cancellation } = exchange.request;
  metrics.load.enteredQueue(kind);
  let hasBegun = false;
  // Rejects and never throws: it begins in a turn without a catcher.
  const begin = async (pass: Pass): Promise<ApiResponse> => {
    hasBegun = true;
    metrics.load.leftQueue(kind);
    return work(pass);
  };
  return limits.wait(kind, { user, width, cancellation }, begin).catch((error: unknown) => {
    if (hasBegun) throw error;
    metrics.load.leftQueue(kind);
    if (cancellation.reason === undefined) metrics.load.terminated(requestKey(exchange), 429);
    throw error;
  });
}

function seatedUntilSent(
  limits: Limits,
  kind: SeatKind,
  pass: Pass,
  user: UserInfo,
  response: ApiResponse,
): ApiResponse {
  const { body } = response;
  if (Buffer.isBuffer(body)) {
    limits.leave(kind, pass, extraOf(pass, body.length));
    return response;
  }
  if (isPushed(body)) {
    limits.leave(kind, pass);
    return { ...response, body: measuredBody(body, streamOf(limits, user.name)) };
  }
  let bytes = 0;
  const meter = {
    sent: (more: number): void => void (bytes += more),
    ended: (): void => limits.leave(kind, pass, extraOf(pass, bytes)),
  };
  return { ...response, body: measuredBody(body, meter) };
}

function streamOf({ streams }: Limits, user: string): Parameters<typeof measuredBody>[1] {
  let isOpen = false;
  return {
    started() {
      isOpen = true;
      streams.enter(user);
    },
    sent: () => undefined,
    ended() {
      if (isOpen) streams.leave(user);
      isOpen = false;
    },
  };
}

function extraOf({ width }: Pass, bytes: number): number {
  return Math.max(0, bytes / BYTES_PER_SEAT - width);
}
