import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import { shortened } from '../../api/shortened.ts';
import type { ApiResponse } from '../../http/message.ts';
import { UNAUTHENTICATED_GROUP } from '../../access/authentication/authenticator.ts';
import { LineBudget } from '../../telemetry/logs/line-budget.ts';
import { explanationOf } from '../../telemetry/logs/logged-error.ts';
import type { Exchange, Frame } from '../../http/exchange.ts';

/** What asks all the time, and is of interest only when it is not answered well. */
const PROBES = /^\/(?:healthz|livez|readyz|metrics)(?:\/|$)/;
const UNAUTHORIZED = 401;

/** Characters of a path, a name or the name of a program; clients choose how long they are. */
const MAX_SHOWN = 256;

/**
 * One line per request; refusals do not count as errors of the server. Requests
 * without valid credentials have a budget of lines: anyone can send them.
 */
export function requestLogFrame(log: Logger, clock: Clock): Frame {
  const strangers = new LineBudget(clock);
  return {
    name: 'request-log',
    leave(exchange, response) {
      const level = levelOf(exchange, response);
      if (!log.isLevelEnabled(level)) return response;
      const leftOut = isStranger(exchange) ? strangers.take() : 0;
      if (leftOut === undefined) return response;
      const line = lineOf(exchange, response, clock);
      log[level](leftOut === 0 ? line : { ...line, leftOut }, 'request');
      return response;
    },
  };
}

function isStranger({ user }: Exchange): boolean {
  return user === undefined || user.groups.includes(UNAUTHENTICATED_GROUP);
}

function shown(text: string): string {
  return shortened(text, MAX_SHOWN);
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
  const agent = request.headers['user-agent'];
  return {
    id: auditId,
    user: user?.name ?? '',
    verb: shown(info.verb),
    resource: info.isResource
      ? shown(
          `${info.group}/${info.version}/${info.resource}${info.subresource === '' ? '' : `/${info.subresource}`}`,
        )
      : undefined,
    namespace: info.namespace === '' ? undefined : shown(info.namespace),
    name: info.name === '' ? undefined : shown(info.name),
    path: info.isResource ? undefined : shown(info.path),
    code: status,
    ms: Math.round((clock.monotonic() - startedAt) * 1000) / 1000,
    agent: agent === undefined ? undefined : shown(agent),
    from: request.peer.address,
    ...failureOf(exchange, status),
  };
}
