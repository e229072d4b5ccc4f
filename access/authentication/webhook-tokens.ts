import { aliasApiVersion } from '../../api/naming.ts';
import type { Clock } from '../../api/clock.ts';
import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { AnswerCache } from '../../outbound/answer-cache.ts';
import type { ReviewClient } from '../../outbound/review-client.ts';
import {
  authenticated,
  CredentialError,
  UndecidedCredential,
  type TokenAuthenticator,
  type TokenOwner,
} from './authenticator.ts';
import { secretDigest } from './token-digest.ts';
import { WaitingTokens } from './waiting-tokens.ts';

/** The name that servers of such reviews know. */
const API_VERSION = aliasApiVersion('authentication.cluster.io/v1');
/** Groups and extra values of a user: every request of the user looks at them. */
const MAX_USER_VALUES = 5_000;

interface WebhookTokensOptions {
  readonly client: ReviewClient;
  readonly clock: Clock;
  /** How long an answer is remembered, whatever it says. */
  readonly ttlMs: number;
  /** For whom a token has to be made, where the request does not say. */
  readonly audiences: readonly string[];
}

/** Bearer tokens that another server recognises by TokenReview. Source: behaviours 10.1. */
export class WebhookTokens implements TokenAuthenticator {
  readonly name = 'webhook';
  readonly #client: ReviewClient;
  readonly #own: readonly string[];
  readonly #answers: AnswerCache<TokenOwner | undefined>;
  readonly #waiting = new WaitingTokens();

  constructor({ client, clock, ttlMs, audiences }: WebhookTokensOptions) {
    this.#client = client;
    this.#own = audiences;
    this.#answers = new AnswerCache<TokenOwner | undefined>(
      clock,
      () => ttlMs,
      (owner) => (owner === undefined ? 0 : JSON.stringify(owner.user).length),
    );
  }

  authenticateToken(
    token: string,
    asked: readonly string[],
  ): TokenOwner | undefined | Promise<TokenOwner | undefined> {
    const audiences = asked.length > 0 ? asked : this.#own;
    const question = secretDigest(JSON.stringify([token, audiences]));
    const known = this.#answers.known(question);
    if (known !== undefined) return known.value;
    // Others may wait for the same answer: one of them going away must not end it.
    return this.#waiting.while(token, () =>
      this.#answers.get(question, () => this.#ask(token, audiences)),
    );
  }

  /** Another server may say something else. */
  forget(): void {
    this.#answers.clear();
  }

  async #ask(token: string, audiences: readonly string[]): Promise<TokenOwner | undefined> {
    let status: JsonObject;
    try {
      status = await this.#client.status({
        apiVersion: API_VERSION,
        kind: 'TokenReview',
        spec: { token, ...(audiences.length === 0 ? {} : { audiences: [...audiences] }) },
      });
    } catch (error) {
      throw new UndecidedCredential('the webhook for tokens fails', { cause: error });
    }
    if (status.authenticated !== true) return undefined;
    const given = textsOf(status.audiences);
    const common = audiences.filter((audience) => given.includes(audience));
    // A server that knows nothing of audiences says none: then the token is for this one.
    if (audiences.length > 0 && given.length > 0 && common.length === 0) return undefined;
    return { user: userOf(status), audiences: common };
  }
}

function userOf(status: JsonObject): TokenOwner['user'] {
  const user = getOwn(status, 'user');
  const of = isObject(user) ? user : {};
  const extra: Record<string, string[]> = {};
  const given = getOwn(of, 'extra');
  for (const [key, values] of Object.entries(isObject(given) ? given : {})) {
    setOwn(extra, key, textsOf(values));
  }
  const name = textOf(getOwn(of, 'username'));
  if (name === '') throw new CredentialError('the token webhook returned no user name');
  const groups = textsOf(getOwn(of, 'groups'));
  const values = Object.values(extra).reduce((sum, { length }) => sum + 1 + length, groups.length);
  if (values > MAX_USER_VALUES) {
    throw new CredentialError(
      `the token webhook returned a user with more than ${MAX_USER_VALUES} groups and extra values`,
    );
  }
  return authenticated({ name, uid: textOf(getOwn(of, 'uid')), groups, extra });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
