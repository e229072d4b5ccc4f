import { forbidden, internalError } from '../../api/api-error.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { Exchange, Stage } from './exchange.ts';

/** May they? Everything that is not allowed is refused. */
export function authorizeStage(authorizer: Authorizer): Stage {
  return {
    name: 'authorize',
    async handle(exchange, next) {
      const { user, info } = exchange;
      if (user === undefined) throw internalError('no user at authorization');
      const decision = await authorizer.authorize({ user, ...info });
      if (decision.decision === 'allow') return next();
      throw refusal(exchange, decision.reason);
    },
  };
}

/** The sentence that clients know (behaviours A6, 403). */
function refusal({ info, user }: Exchange, reason: string): Error {
  const who = `User ${JSON.stringify(user?.name ?? '')}`;
  const because = reason === '' ? '' : `: ${reason}`;
  if (!info.isResource) {
    const why = `${who} cannot ${info.verb} path ${JSON.stringify(info.path)}${because}`;
    return forbidden({ group: '', resource: '' }, '', why);
  }
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  const where =
    info.namespace === ''
      ? 'at the cluster scope'
      : `in the namespace ${JSON.stringify(info.namespace)}`;
  return forbidden(
    { group: info.group, resource: info.resource },
    info.name,
    `${who} cannot ${info.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.group)} ${where}${because}`,
  );
}
