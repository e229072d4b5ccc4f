import { forbidden, internalError, type ApiError } from '../../api/api-error.ts';
import type { AuthorizationAttributes, AuthorizationDecision } from './authorizer.ts';

/** The error of a request that is not allowed: 403, or 500 when an authorizer failed and none refused. */
export function refusalOf(
  attributes: AuthorizationAttributes,
  { reason, error }: AuthorizationDecision,
): ApiError {
  if (error === undefined) return refusal(attributes, reason);
  // an authorizer could not be asked: the client may try again
  return internalError('authorization is not possible at the moment', new Error(error));
}

/** The sentence that clients know (behaviours 6.8). */
export function refusal(attributes: AuthorizationAttributes, reason: string): ApiError {
  const { user, verb, isResource, path, group, resource, subresource, namespace, name } =
    attributes;
  const who = `User ${JSON.stringify(user.name)}`;
  const because = reason === '' ? '' : `: ${reason}`;
  if (!isResource) {
    const why = `${who} cannot ${verb} path ${JSON.stringify(path)}${because}`;
    return forbidden({ group: '', resource: '' }, '', why);
  }
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where =
    namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return forbidden(
    { group, resource },
    name,
    `${who} cannot ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}${because}`,
  );
}
