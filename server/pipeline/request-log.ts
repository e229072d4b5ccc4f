import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import type { Stage } from './exchange.ts';

/** One line per request; refusals are no errors of the server. */
export function requestLogStage(log: Logger, clock: Clock): Stage {
  return {
    name: 'request-log',
    async handle(exchange, next) {
      const response = await next();
      const { info, request, user, auditId, startedAt } = exchange;
      const line = {
        id: auditId,
        user: user?.name ?? '',
        verb: info.verb,
        resource: info.isResource
          ? `${info.group}/${info.version}/${info.resource}${info.subresource === '' ? '' : `/${info.subresource}`}`
          : undefined,
        namespace: info.namespace === '' ? undefined : info.namespace,
        name: info.name === '' ? undefined : info.name,
        path: info.isResource ? undefined : info.path,
        code: response.status,
        ms: Math.round((clock.monotonic() - startedAt) * 1000) / 1000,
        agent: request.headers['user-agent'],
        from: request.peer.address,
      };
      if (response.status >= 500) log.error(line, 'request');
      else log.info(line, 'request');
      return response;
    },
  };
}
