import { inTurns, type Steps } from '../../api/steps.ts';
import {
  CelAuthorizer,
  ResourceCheck,
  type AuthorizationDecision,
  type AuthorizationQuery,
} from '../../cel/libraries/authorizer.ts';
import type { UserInfo } from '../../api/user.ts';
import type { AdmissionAttributes } from '../attributes.ts';

/** What expressions ask through the variable `authorizer`; answered by the server's own authorizer. */
export interface AdmissionAuthorizer {
  authorize(
    user: UserInfo,
    query: AuthorizationQuery,
  ): AuthorizationDecision | Promise<AuthorizationDecision>;
}

/** An authorizer answers later; an expression cannot wait. */
class AuthorizationPending extends Error {
  override readonly name = 'AuthorizationPending';
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>) {
    super('the authorizer has not answered yet');
    this.settled = settled;
  }
}

/** Questions to a slow authorizer that one request may ask. */
const MAX_SLOW_QUESTIONS = 100;

/** The questions of the expressions of one request, each asked once. */
export class Authorizations {
  readonly #authorizer: AdmissionAuthorizer;
  readonly #user: UserInfo;
  readonly #known = new Map<string, AuthorizationDecision>();
  /** The variable `authorizer`. */
  readonly variable: CelAuthorizer;

  constructor(authorizer: AdmissionAuthorizer, user: UserInfo) {
    this.#authorizer = authorizer;
    this.#user = user;
    this.variable = new CelAuthorizer((query) => this.#authorize(query));
  }

  /** The variable `authorizer.requestResource`. */
  requestResource({ resource, subresource, namespace, name }: AdmissionAttributes): ResourceCheck {
    const { group, resource: plural } = resource;
    return new ResourceCheck(this.variable, {
      group,
      resource: plural,
      subresource,
      namespace,
      name,
    });
  }

  /**
   * Runs something that evaluates expressions. When one of them needs a decision
   * that is not there yet, the run is abandoned, the decision awaited, and
   * everything evaluated again: `run` must have no effects. In turns, when it takes long.
   */
  settle<T>(run: () => Steps<T>, attempts = MAX_SLOW_QUESTIONS): T | Promise<T> {
    const again = (error: unknown): Promise<T> => {
      if (!(error instanceof AuthorizationPending) || attempts === 0) throw error;
      return error.settled.then(() => this.settle(run, attempts - 1));
    };
    try {
      const result = inTurns(run());
      return result instanceof Promise ? result.catch(again) : result;
    } catch (error) {
      return again(error);
    }
  }

  #authorize(query: AuthorizationQuery): AuthorizationDecision {
    const key = JSON.stringify(query);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const decision = this.#authorizer.authorize(this.#subject(query), query);
    if (!(decision instanceof Promise)) {
      this.#known.set(key, decision);
      return decision;
    }
    throw new AuthorizationPending(
      decision.then(
        (settled) => void this.#known.set(key, settled),
        (error: unknown) => void this.#known.set(key, failed(error)),
      ),
    );
  }

  #subject({ subject }: AuthorizationQuery): UserInfo {
    if (subject.kind === 'requester') return this.#user;
    const { namespace, name } = subject;
    return {
      name: `system:serviceaccount:${namespace}:${name}`,
      uid: '',
      groups: [
        'system:serviceaccounts',
        `system:serviceaccounts:${namespace}`,
        'system:authenticated',
      ],
      extra: {},
    };
  }
}

function failed(error: unknown): AuthorizationDecision {
  return { allowed: false, reason: '', error: (error as Error).message };
}
