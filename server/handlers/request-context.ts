import { internalError } from '../../api/api-error.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Exchange } from '../../http/exchange.ts';
import { managerOfRequest } from '../../patch/patch-options.ts';
import type { RequestContext } from '../../registry/context.ts';

/** Who asks, and what goes with the request, as verbs take it. */
export function contextOf(
  exchange: Exchange,
  confirmCreate?: RequestContext['confirmCreate'],
): RequestContext {
  return {
    user: userOf(exchange),
    warnings: exchange.warnings,
    audit: exchange.annotations,
    get signal() {
      return exchange.signal;
    },
    cancellation: exchange.request.cancellation,
    deadline: exchange.deadline,
    whileWaiting: exchange.whileWaiting,
    defaultManager: managerOfRequest(undefined, exchange.request.headers['user-agent'] ?? ''),
    confirmCreate,
  };
}

/** @throws ApiError 500 before the request is authenticated */
export function userOf({ user }: Exchange): UserInfo {
  if (user === undefined) throw internalError('no user');
  return user;
}
