import { SUPERUSERS, type UserInfo } from '../../api/user.ts';
import {
  ALLOWED,
  NO_OPINION,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type UserRules,
} from './authorizer.ts';

/** The administrators' group, before any other authorizer is asked. */
export const mastersAuthorizer: Authorizer = {
  name: 'Masters',
  authorize({ user }) {
    return user.groups.includes(SUPERUSERS) ? ALLOWED : NO_OPINION;
  },
  rulesFor: () => undefined,
};

/** For installations that trust every authenticated user. */
export const alwaysAllow: Authorizer = {
  name: 'AlwaysAllow',
  authorize: () => ALLOWED,
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }],
    pathRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
    errors: [],
  }),
};

/** For installations that only administrators may use. */
export const alwaysDeny: Authorizer = {
  name: 'AlwaysDeny',
  authorize: () => ({ decision: 'noOpinion', reason: 'Everything is forbidden.' }),
  rulesFor: () => ({ resourceRules: [], pathRules: [], incomplete: false, errors: [] }),
};

/**
 * Asks one after the other; the first that allows or denies decides (behaviours
 * 10.4). One that fails is as if it had no opinion, and is told in the end.
 */
export class AuthorizerChain implements Authorizer {
  readonly name = 'Chain';
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  authorize(
    attributes: AuthorizationAttributes,
  ): AuthorizationDecision | Promise<AuthorizationDecision> {
    return this.#from(0, attributes, []);
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    const all = this.#authorizers
      .map((authorizer) => authorizer.rulesFor(user, namespace))
      .filter((rules) => rules !== undefined);
    return {
      resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
      pathRules: all.flatMap(({ pathRules }) => pathRules),
      incomplete: all.some(({ incomplete }) => incomplete),
      errors: all.flatMap(({ errors }) => errors),
    };
  }

  /** Answers at once as long as everyone does. `seen`: what those before had to say. */
  #from(
    index: number,
    attributes: AuthorizationAttributes,
    seen: readonly AuthorizationDecision[],
  ): AuthorizationDecision | Promise<AuthorizationDecision> {
    for (let i = index; i < this.#authorizers.length; i++) {
      const decision = this.#authorizers[i]?.authorize(attributes) ?? NO_OPINION;
      if (decision instanceof Promise) {
        return decision.then((late) =>
          late.decision === 'noOpinion' ? this.#from(i + 1, attributes, [...seen, late]) : late,
        );
      }
      if (decision.decision !== 'noOpinion') return decision;
      if (decision !== NO_OPINION) seen = [...seen, decision];
    }
    return joined(seen);
  }
}

function joined(seen: readonly AuthorizationDecision[]): AuthorizationDecision {
  const reason = seen.map((decision) => decision.reason).filter((text) => text !== '');
  const error = seen.map((decision) => decision.error ?? '').filter((text) => text !== '');
  return {
    decision: 'noOpinion',
    reason: reason.join('; '),
    ...(error.length === 0 ? {} : { error: error.join('; ') }),
  };
}
