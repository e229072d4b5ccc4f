import type { UserInfo } from '../../api/user.ts';

/** What a user wants to do. */
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
  /** Empty for cluster scope and for all namespaces. */
  readonly namespace: string;
  /** Empty for a collection, unless its field selector names one object. */
  readonly name: string;
  /** Of a list, watch or deletecollection, as the client wrote it; empty: none. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** Attributes of nothing in particular, to be filled in. */
export const NO_ATTRIBUTES: Omit<AuthorizationAttributes, 'user' | 'verb'> = {
  isResource: false,
  path: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  /** For the audit log and, on refusal, the client. */
  readonly reason: string;
  /** What went wrong on the way to the decision; an allow stands all the same. */
  readonly error?: string;
}

export const NO_OPINION: AuthorizationDecision = { decision: 'noOpinion', reason: '' };
export const ALLOWED: AuthorizationDecision = { decision: 'allow', reason: '' };

/** Something that may be done, as SelfSubjectRulesReview shows it. */
interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

interface PathRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Everything that a user may do in a namespace, as far as it can be listed. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly pathRules: readonly PathRule[];
  /** The authorizer knows of more than it can list. */
  readonly incomplete: boolean;
  readonly errors: readonly string[];
}

/** One way to decide. What needs no look elsewhere answers at once. */
export interface Authorizer {
  readonly name: string;
  authorize(
    attributes: AuthorizationAttributes,
  ): AuthorizationDecision | Promise<AuthorizationDecision>;
  /** Undefined: its answers are the same for all users. */
  rulesFor(user: UserInfo, namespace: string): UserRules | undefined;
}
