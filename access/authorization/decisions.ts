import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from './authorizer.ts';

/** Decisions of one moment: the authorizer is asked once for each distinct question. */
export class Decisions {
  readonly #authorizer: Authorizer;
  readonly #made = new Map<string, AuthorizationDecision | Promise<AuthorizationDecision>>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  of(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    const question = JSON.stringify(attributes);
    let decision = this.#made.get(question);
    if (decision === undefined) {
      decision = this.#authorizer.authorize(attributes);
      this.#made.set(question, decision);
    }
    return decision;
  }
}
