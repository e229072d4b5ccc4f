import { internalError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { AUDIT_DECISION_ANNOTATION, AUDIT_REASON_ANNOTATION } from '../../api/naming.ts';
import { attributesOf } from '../../access/authorization/attributes.ts';
import type { AuthorizationDecision, Authorizer } from '../../access/authorization/authorizer.ts';
import type { OpenStreams } from '../../access/authorization/open-streams.ts';
import { refusalOf } from '../../access/authorization/refusal.ts';
import type { ApiResponse } from '../../http/message.ts';
import type { AccessMetrics } from '../../telemetry/metrics/access-metrics.ts';
import type { Stage } from '../../http/exchange.ts';

/**
 * May they? Everything that is not allowed is refused, and every decision is
 * noted for the audit log. `streams` asks about streams again while they last.
 */
export function authorizeStage(
  authorizer: Authorizer,
  metrics: AccessMetrics,
  clock: Clock,
  streams: OpenStreams,
): Stage {
  return {
    name: 'authorize',
    handle(exchange, next) {
      const { user, info, request, annotations } = exchange;
      if (user === undefined) throw internalError('no user at authorization');
      const attributes = attributesOf(info, request.query, user);
      const startedAt = clock.monotonic();
      const act = (decision: AuthorizationDecision): Promise<ApiResponse> => {
        const isAllowed = decision.decision === 'allow';
        const seconds = (clock.monotonic() - startedAt) / 1000;
        metrics.authorized(isAllowed ? 'allowed' : resultOf(decision), seconds);
        annotations.set(AUDIT_DECISION_ANNOTATION, isAllowed ? 'allow' : 'forbid');
        annotations.set(AUDIT_REASON_ANNOTATION, decision.reason);
        const { identity } = exchange;
        if (isAllowed && identity !== undefined) {
          return next(exchange).then((answer) => streams.followed(attributes, identity, answer));
        }
        if (isAllowed) return next(exchange);
        return Promise.reject(refusalOf(attributes, decision));
      };
      const decision = authorizer.authorize(attributes);
      if (!(decision instanceof Promise)) return act(decision);
      return (exchange.whileWaiting?.(() => decision) ?? decision).then(act);
    },
  };
}

function resultOf({ decision, error }: AuthorizationDecision): 'denied' | 'no-opinion' | 'error' {
  if (error !== undefined) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}
