import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange, Frame } from './exchange.ts';

/** One line per request; refusals are no errors of the server. */
export function requestLogFrame(log: Logger, clock: Clock): Frame {
  return {
    name: 'request-log',
    leave(exchange, response) {
      const level = response.status >= 500 ? 'error' : 'info';
      if (log.isLevelEnabled(level)) log[level](lineOf(exchange, response, clock), 'request');
      return response;
    },
  };
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
  };
}
