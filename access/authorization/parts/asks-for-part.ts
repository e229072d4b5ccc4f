import type { Query } from '../../../api/query.ts';
import type { UserInfo } from '../../../api/user.ts';
import type { Exchange } from '../../../http/exchange.ts';

/** Who has not said who it is learns nothing, not even which kinds there are. */
const UNAUTHENTICATED = 'system:unauthenticated';

/** `authorized=true`: other values are ignored. */
export function isPartAsked(query: Query, { groups }: UserInfo): boolean {
  return query.get('authorized') === 'true' && !groups.includes(UNAUTHENTICATED);
}

/** A list, watch or count of a collection that asks for what its user may see of it. */
export function asksForPart({ info, request, user }: Exchange): boolean {
  const { isResource, verb, name, subresource } = info;
  const isCollection = isResource && name === '' && subresource === '';
  if (!isCollection || user === undefined || (verb !== 'list' && verb !== 'watch')) return false;
  return isPartAsked(request.query, user);
}
