import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import type { ApiResponse } from '../../http/message.ts';
import { explanationOf } from '../../telemetry/logs/logged-error.ts';
import type { Exchange, Frame } from '../../http/exchange.ts';

/** What asks all the time, and is of interest only when it is not answered well. */
const PROBES = /^\/(?:healthz|livez|readyz|metrics)(?:\/|$)/;
const UNAUTHORIZED = 401;

/** One line per request; refusals do not count as errors of the server. */
export function requestLogFrame(log: Logger, clock: Clock): Frame {
  return {
    name: 'request-log',
    leave(exchange, response) {
      const level = levelOf(exchange, response);
      if (log.isLevelEnabled(level)) log[level](lineOf(exchange, response, clock), 'request');
      return response;
    },
  };
}

function levelOf({ info }: Exchange, { status }: ApiResponse): 'error' | 'info' | 'debug' {
  if (status >= 500) return 'error';
  return status < 300 && !info.isResource && PROBES.test(info.path) ? 'debug' : 'info';
}

/** A line for each request, and no other, says what has gone wrong with it. */
function failureOf({ failure }: Exchange, status: number): object | undefined {
  if (failure === undefined) return undefined;
  if (status >= 500) return { err: failure };
  return status === UNAUTHORIZED ? { reason: explanationOf(failure) } : undefined;
}

function lineOf(exchange: Exchange, { status }: ApiResponse, clock: Clock): object {
  const { info, request, user, auditId, startedAt } = exchange;
  return {
    id: auditId,
    user: user?.name ?? '',
    verb: info.verb,
    resource: info.isResource
      ? `${info.group}/${info.version}/${info.resource}${info.subresource === '' ? '' : `/${info.subresource}`}`
      : undefined,
    namespace: info.namespace === '' ? undefined : info.namespace,
    name: info.name === '' ? undefined : info.name,
    path: info.isResource ? undefined : info.path,
    code: status,
    ms: Math.round((clock.monotonic() - startedAt) * 1000) / 1000,
    agent: request.headers['user-agent'],
    from: request.peer.address,
    ...failureOf(exchange, status),
  };
}
