import type { Clock } from '../../api/clock.ts';
import { INITIAL_EVENTS_END } from '../../api/naming.ts';
import { booleanParameter, type Query } from '../../api/query.ts';
import { isPushed, type ApiResponse } from '../../http/message.ts';
import type { Exchange, Frame } from '../../http/exchange.ts';
import type { FieldValidation } from './access-metrics.ts';
import { measuredBody, type BodyMeter } from './measured-body.ts';
import type { RequestKind } from './load-metrics.ts';
import type { Metrics } from './metrics.ts';
import type { RequestKey } from './request-labels.ts';

const READ_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head']);
const WRITE_VERBS: ReadonlySet<string> = new Set(['create', 'update', 'patch']);
const APPLY = 'application/apply-patch+yaml';
/** A bookmark has a kind, a revision and one annotation. */
const MAX_BOOKMARK_BYTES = 1_024;

/**
 * Counts every request: how many at a time, how long to the last byte, with
 * which outcome. A watch leaves the requests in flight as soon as it is
 * accepted, and counts as one request when it ends.
 */
export function requestMetricsFrame(metrics: Metrics, clock: Clock): Frame {
  return {
    name: 'request-metrics',
    enter: (exchange) => metrics.load.entered(kindOf(exchange)),
    leave: (exchange, response) => measured(metrics, clock, exchange, response),
    fail: (exchange) => metrics.load.left(kindOf(exchange)),
  };
}

function kindOf({ info }: Exchange): RequestKind {
  return READ_VERBS.has(info.verb) ? 'readOnly' : 'mutating';
}

function measured(
  metrics: Metrics,
  clock: Clock,
  exchange: Exchange,
  response: ApiResponse,
): ApiResponse {
  const { body, status } = response;
  if (Buffer.isBuffer(body)) {
    metrics.load.left(kindOf(exchange));
    finish(metrics, clock, exchange, status, body.length);
    return response;
  }
  const isStream = isPushed(body);
  if (isStream) metrics.load.left(kindOf(exchange));
  const meter = isStream
    ? streamMeter(metrics, clock, exchange, status)
    : answerMeter(metrics, clock, exchange, status);
  return { ...response, body: measuredBody(body, meter) };
}

function answerMeter(metrics: Metrics, clock: Clock, exchange: Exchange, code: number): BodyMeter {
  let responseBytes = 0;
  return {
    sent: (bytes) => void (responseBytes += bytes),
    ended() {
      metrics.load.left(kindOf(exchange));
      finish(metrics, clock, exchange, code, responseBytes);
    },
  };
}

function streamMeter(metrics: Metrics, clock: Clock, exchange: Exchange, code: number): BodyMeter {
  const { request, info, startedAt } = exchange;
  const { group, version, resource } = info;
  const events = metrics.watches.eventsOf(group, version, resource);
  let close: () => void = () => undefined;
  let responseBytes = 0;
  let isInitial =
    info.verb === 'watch' && booleanParameter(request.query, 'sendInitialEvents') === true;
  return {
    started: () => void (close = metrics.load.longRunning(requestKey(exchange))),
    sent: (bytes) => void (responseBytes += bytes),
    pushed(frame, lengths) {
      if (lengths === undefined) events.sent(frame.length);
      else for (const length of lengths) events.sent(length);
      if (!isInitial || !endsInitialState(frame)) return;
      isInitial = false;
      const seconds = (clock.monotonic() - startedAt) / 1000;
      metrics.watches.initialState(requestKey(exchange), seconds);
    },
    ended() {
      close();
      finish(metrics, clock, exchange, code, responseBytes);
    },
  };
}

/** Is this event the bookmark that ends the initial state, in whatever form it is sent? */
function endsInitialState(frame: Buffer): boolean {
  return frame.length <= MAX_BOOKMARK_BYTES && frame.includes(INITIAL_EVENTS_END);
}

function finish(
  metrics: Metrics,
  clock: Clock,
  exchange: Exchange,
  code: number,
  responseBytes: number,
): void {
  const { request, info, startedAt } = exchange;
  const key = requestKey(exchange);
  const seconds = (clock.monotonic() - startedAt) / 1000;
  const dryRun = dryRunOf(request.query);
  const { verb, group, version, resource, subresource, scope } = key;
  // Written out: V8 creates a new hidden class for each object that is spread and then extended.
  metrics.requests.observe({
    verb,
    group,
    version,
    resource,
    subresource,
    scope,
    code,
    seconds,
    responseBytes,
    dryRun,
  });
  // The end of a watch is nearly always the client's.
  if (request.cancellation.reason !== undefined && info.verb !== 'watch') metrics.load.aborted(key);
  if (info.isResource && WRITE_VERBS.has(info.verb)) {
    metrics.access.fieldValidation(fieldValidationOf(request.query), seconds);
  }
}

/** What the request is counted by. */
export function requestKey({ info, request }: Exchange): RequestKey {
  const { verb, group, version, resource, subresource } = info;
  if (!info.isResource) {
    return { verb, group: '', version: '', resource: '', subresource: info.path, scope: '' };
  }
  const isApply = verb === 'patch' && request.headers['content-type']?.startsWith(APPLY) === true;
  return {
    verb: isApply ? 'apply' : verb,
    group,
    version,
    resource,
    subresource,
    scope: scopeOf(info),
  };
}

/** Source: apiserver, pkg/endpoints/metrics, CleanScope. */
function scopeOf({ name, namespace, verb }: Exchange['info']): RequestKey['scope'] {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

function dryRunOf(query: Query): '' | 'All' | 'invalid' {
  const values = query.getAll('dryRun');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}

function fieldValidationOf(query: Query): FieldValidation {
  const [value = '', ...more] = query.getAll('fieldValidation');
  if (more.length > 0) return 'invalid';
  switch (value) {
    case '':
    case 'Ignore':
    case 'Warn':
    case 'Strict':
      return value;
    default:
      return 'invalid';
  }
}
