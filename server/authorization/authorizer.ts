import type { UserInfo } from '../../api/user.ts';

/** What somebody wants to do. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResource: boolean;
  /** For requests outside the API. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  /** For the audit log and, on refusal, the client. */
  readonly reason: string;
}

export interface Authorizer {
  authorize(
    attributes: AuthorizationAttributes,
  ): AuthorizationDecision | Promise<AuthorizationDecision>;
}

const MASTERS = 'system:masters';
const ALWAYS_ALLOWED = /^\/(healthz|livez|readyz)(\/|$)/;

/** Administrators may do everything, everyone may ask for health, recognised users may do everything until RBAC decides. */
export const basicAuthorizer: Authorizer = {
  authorize({ user, isResource, path }) {
    if (!isResource && ALWAYS_ALLOWED.test(path)) return { decision: 'allow', reason: '' };
    if (user.groups.includes(MASTERS) || user.groups.includes('system:authenticated')) {
      return { decision: 'allow', reason: '' };
    }
    return { decision: 'noOpinion', reason: '' };
  },
};
