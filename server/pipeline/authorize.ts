import { andThen } from '../../api/and-then.ts';
import { internalError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { AUDIT_DECISION_ANNOTATION, AUDIT_REASON_ANNOTATION } from '../../api/naming.ts';
import { attributesOf } from '../../access/authorization/attributes.ts';
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
} from '../../access/authorization/authorizer.ts';
import type { VisibleParts } from '../../access/authorization/parts/visible-parts.ts';
import type { OpenStreams } from '../../access/authorization/open-streams.ts';
import { refusalOf } from '../../access/authorization/refusal.ts';
import type { AccessMetrics } from '../../telemetry/metrics/access-metrics.ts';
import { asksForPart } from '../../access/authorization/parts/asks-for-part.ts';
import { type Answer, type Exchange, type Next, type Stage } from '../../http/exchange.ts';

/**
 * May they? Everything that is not allowed is refused, and every decision is
 * noted for the audit log. `streams` asks about streams again while they last.
 * Who asks for the part of a collection that it may see (`authorized=true`) is let
 * on with its rights: what does not heed them must throw the exchange's refusal.
 */
export function authorizeStage(
  authorizer: Authorizer,
  metrics: AccessMetrics,
  clock: Clock,
  { streams, visible }: { readonly streams: OpenStreams; readonly visible: VisibleParts },
): Stage {
  /** A watch follows the rights of its user also where it may see everything now. */
  const partial = (exchange: Exchange, attributes: AuthorizationAttributes, next: Next): Answer => {
    const { refusal, identity, annotations } = exchange;
    if (refusal !== undefined) {
      annotations.set(AUDIT_DECISION_ANNOTATION, 'allow');
      annotations.set(AUDIT_REASON_ANNOTATION, PART_REASON);
    }
    if (attributes.verb !== 'watch') {
      if (refusal !== undefined) exchange.rights = visible.once(attributes);
      return next(exchange);
    }
    if (identity === undefined) throw internalError('a stream without identity');
    const rights = visible.follow(attributes);
    exchange.rights = rights;
    return andThen(next(exchange), (answer) =>
      streams.followed(attributes, identity, answer, (user) => rights.renew(user)),
    );
  };
  return {
    name: 'authorize',
    handle(exchange, next) {
      const { user, info, request, annotations } = exchange;
      if (user === undefined) throw internalError('no user at authorization');
      const attributes = attributesOf(info, request.query, user);
      const startedAt = clock.monotonic();
      const act = (decision: AuthorizationDecision): Answer => {
        const isAllowed = decision.decision === 'allow';
        const seconds = (clock.monotonic() - startedAt) / 1000;
        metrics.authorized(isAllowed ? 'allowed' : resultOf(decision), seconds);
        annotations.set(AUDIT_DECISION_ANNOTATION, isAllowed ? 'allow' : 'forbid');
        annotations.set(AUDIT_REASON_ANNOTATION, decision.reason);
        const { identity } = exchange;
        if (asksForPart(exchange)) {
          if (!isAllowed) exchange.refusal = refusalOf(attributes, decision);
          return partial(exchange, attributes, next);
        }
        if (isAllowed && identity !== undefined) {
          return andThen(next(exchange), (answer) =>
            streams.followed(attributes, identity, answer),
          );
        }
        if (isAllowed) return next(exchange);
        throw refusalOf(attributes, decision);
      };
      const decision = authorizer.authorize(attributes);
      if (!(decision instanceof Promise)) return act(decision);
      return (exchange.whileWaiting?.(() => decision) ?? decision).then(act);
    },
  };
}

/** Why a request for a collection that the user may not see as a whole goes on. */
const PART_REASON = 'authorized=true: the part that the user may see';

function resultOf({ decision, error }: AuthorizationDecision): 'denied' | 'no-opinion' | 'error' {
  if (error !== undefined) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}
