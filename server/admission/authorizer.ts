import type { AdmissionAuthorizer } from '../../admission/expressions/authorization.ts';
import type {
  AuthorizationDecision as CelDecision,
  AuthorizationQuery,
} from '../../cel/libraries/authorizer.ts';
import { andThen } from '../../api/and-then.ts';
import { neutralGroup } from '../../api/naming.ts';
import type { UserInfo } from '../../api/user.ts';
import {
  NO_ATTRIBUTES,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
} from '../../access/authorization/authorizer.ts';

/** The server's authorizer as expressions of webhooks and policies ask it. */
export function admissionAuthorizer(authorizer: Authorizer): AdmissionAuthorizer {
  return {
    authorize(user, query) {
      const decision = authorizer.authorize(attributesOf(user, query));
      return andThen(decision, shown);
    },
  };
}

function shown({ decision, reason, error }: AuthorizationDecision): CelDecision {
  return { allowed: decision === 'allow', reason, ...(error === undefined ? {} : { error }) };
}

function attributesOf(user: UserInfo, query: AuthorizationQuery): AuthorizationAttributes {
  const { verb } = query;
  if ('path' in query) return { ...NO_ATTRIBUTES, user, verb, path: query.path };
  const { group, resource, subresource, namespace, name, fieldSelector, labelSelector } = query;
  return {
    ...NO_ATTRIBUTES,
    user,
    verb,
    isResource: true,
    // expressions do not say in which version they mean a resource
    version: '*',
    group: neutralGroup(group),
    resource,
    subresource,
    namespace,
    name,
    fieldSelector,
    labelSelector,
  };
}
