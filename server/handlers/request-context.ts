import { internalError } from '../../api/api-error.ts';
import type { CancelSignal } from '../../api/cancel-signal.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Exchange } from '../../http/exchange.ts';
import { managerOfRequest } from '../../patch/patch-options.ts';
import type { RequestContext } from '../../registry/context.ts';

/** Who asks, and what goes with the request, as verbs take it. */
export function contextOf(
  exchange: Exchange,
  confirmCreate?: RequestContext['confirmCreate'],
): RequestContext {
  return new ExchangeContext(exchange, confirmCreate);
}

/** A class, since a literal with a getter takes 0.6 µs. */
class ExchangeContext implements RequestContext {
  readonly user: UserInfo;
  readonly warnings: RequestContext['warnings'];
  readonly audit: RequestContext['audit'];
  readonly cancellation: CancelSignal;
  readonly deadline: RequestContext['deadline'];
  readonly whileWaiting: RequestContext['whileWaiting'];
  readonly defaultManager: string;
  readonly confirmCreate: RequestContext['confirmCreate'];
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, confirmCreate: RequestContext['confirmCreate']) {
    const { request } = exchange;
    this.user = userOf(exchange);
    this.warnings = exchange.warnings;
    this.audit = exchange.annotations;
    this.cancellation = request.cancellation;
    this.deadline = exchange.deadline;
    this.whileWaiting = exchange.whileWaiting;
    this.defaultManager = managerOfRequest(undefined, request.headers['user-agent'] ?? '');
    this.confirmCreate = confirmCreate;
    this.#exchange = exchange;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
}

/** @throws ApiError 500 before the request is authenticated */
export function userOf({ user }: Exchange): UserInfo {
  if (user === undefined) throw internalError('no user');
  return user;
}
