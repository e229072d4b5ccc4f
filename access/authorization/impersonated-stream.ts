import type { StreamIdentity } from '../../http/exchange.ts';
import type { UserInfo } from '../../api/user.ts';
import type { AuthorizationAttributes, Authorizer } from './authorizer.ts';
import { impersonate } from './impersonation.ts';

/** The stream is for the wanted user as long as the requester is valid and may impersonate it. */
export function impersonatedStream(
  authorizer: Authorizer,
  requester: StreamIdentity,
  action: AuthorizationAttributes,
  wanted: UserInfo,
): StreamIdentity {
  const decisive: Authorizer = {
    name: authorizer.name,
    rulesFor: (user, namespace) => authorizer.rulesFor(user, namespace),
    async authorize(attributes) {
      const decision = await authorizer.authorize(attributes);
      if (decision.decision === 'allow' || decision.error === undefined) return decision;
      throw new Error(decision.error);
    },
  };
  return {
    key: `${requester.key} ${JSON.stringify([wanted, action])}`,
    async ask() {
      const user = await requester.ask();
      return (await impersonate(decisive, { ...action, user }, wanted)).user;
    },
  };
}
