import { aliasApiVersion } from '../../api/naming.ts';
import type { Clock } from '../../api/clock.ts';
import { getOwn, type JsonObject } from '../../api/json.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { AnswerCache } from '../../outbound/answer-cache.ts';
import type { ReviewClient } from '../../outbound/review-client.ts';
import { secretDigest } from '../authentication/token-digest.ts';
import {
  NO_OPINION,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type UserRules,
} from './authorizer.ts';
import type { MatchConditions } from './configuration/match-conditions.ts';
import { reviewSpec } from './review-spec.ts';

/** The name that servers of such reviews know. */
const API_VERSION = aliasApiVersion('authorization.cluster.io/v1');

interface WebhookAuthorizerOptions {
  readonly client: ReviewClient;
  readonly clock: Clock;
  readonly allowedTtlMs: number;
  /** For answers that do not allow. */
  readonly otherTtlMs: number;
  /** What is decided when the other server cannot be asked. */
  readonly onFailure?: 'deny' | 'noOpinion';
  /** Which requests it is asked about; otherwise about all. */
  readonly conditions?: MatchConditions;
}

/** Decisions of another server, by SubjectAccessReview. Source: behaviours 10.4. */
export class WebhookAuthorizer implements Authorizer {
  readonly name = 'Webhook';
  readonly #client: ReviewClient;
  readonly #answers: AnswerCache<AuthorizationDecision>;
  readonly #onFailure: 'deny' | 'noOpinion';
  readonly #conditions: MatchConditions | undefined;

  constructor(options: WebhookAuthorizerOptions) {
    const { client, clock, allowedTtlMs, otherTtlMs } = options;
    this.#client = client;
    this.#onFailure = options.onFailure ?? 'noOpinion';
    this.#conditions = options.conditions;
    this.#answers = new AnswerCache<AuthorizationDecision>(
      clock,
      ({ decision }) => (decision === 'allow' ? allowedTtlMs : otherTtlMs),
      ({ reason }) => reason.length,
    );
  }

  async authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> {
    const spec = reviewSpec(attributes);
    try {
      if (this.#conditions?.match(spec) === false) return NO_OPINION;
      // Others may wait for the same answer: one of them going away must not end it.
      return await this.#answers.get(secretDigest(stringifyJson(spec)), () => this.#ask(spec));
    } catch (error) {
      const why = `the webhook for authorization fails: ${(error as Error).message}`;
      return { decision: this.#onFailure, reason: '', error: why };
    }
  }

  /** Another server cannot be asked for everything that it would allow. */
  rulesFor(): UserRules {
    const errors = ['webhook authorizer does not support user rule resolution'];
    return { resourceRules: [], pathRules: [], incomplete: true, errors };
  }

  /** Another server may say something else. */
  forget(): void {
    this.#answers.clear();
  }

  async #ask(spec: JsonObject): Promise<AuthorizationDecision> {
    const review = { apiVersion: API_VERSION, kind: 'SubjectAccessReview', spec };
    const status = await this.#client.status(review);
    const reason = getOwn(status, 'reason');
    const isDenied = status.denied === true;
    if (isDenied && status.allowed === true) throw new Error('the response both allows and denies');
    return {
      decision: isDenied ? 'deny' : status.allowed === true ? 'allow' : 'noOpinion',
      reason: typeof reason === 'string' ? reason : '',
    };
  }
}
