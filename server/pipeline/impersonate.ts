import type { Logger } from 'pino';
import { internalError } from '../../api/api-error.ts';
import {
  impersonatedUser,
  stripImpersonation,
  wantsToImpersonate,
} from '../../access/authentication/impersonation-headers.ts';
import { attributesOf } from '../../access/authorization/attributes.ts';
import { impersonatedStream } from '../../access/authorization/impersonated-stream.ts';
import type { Authorizer } from '../../access/authorization/authorizer.ts';
import { impersonate } from '../../access/authorization/impersonation.ts';
import type { Stage } from '../../http/exchange.ts';

/** From here on the request is that of the user it wants to be, if it may. Source: behaviours 10.3. */
export function impersonateStage(authorizer: Authorizer, log: Logger): Stage {
  return {
    name: 'impersonate',
    handle(exchange, next) {
      const { user, info, request } = exchange;
      if (!wantsToImpersonate(request)) return next(exchange);
      if (user === undefined) throw internalError('no user at impersonation');
      const wanted = impersonatedUser(request);
      stripImpersonation(request);
      if (wanted === undefined) return next(exchange);
      const action = attributesOf(info, request.query, user);
      return impersonate(authorizer, action, wanted).then((allowed) => {
        exchange.impersonator = user;
        exchange.user = allowed.user;
        exchange.impersonationConstraint = allowed.constraint;
        const { auditId, identity } = exchange;
        if (identity !== undefined) {
          exchange.identity = impersonatedStream(authorizer, identity, action, wanted);
        }
        log.debug({ auditId, user: user.name, as: allowed.user.name }, 'impersonation');
        return next(exchange);
      });
    },
  };
}
