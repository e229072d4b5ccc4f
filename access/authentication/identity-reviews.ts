import { badRequest } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { formatTime } from '../../api/time.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Reviewer } from '../reviews.ts';
import { CredentialError, type TokenAuthenticator, type TokenOwner } from './authenticator.ts';

interface IdentityReviewOptions {
  readonly tokens: TokenAuthenticator;
  /** Names of this server as the audience of tokens. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
}

/** Answers reviews of identities, by resource. Source: behaviours 10.6. */
export function identityReviewers(
  options: IdentityReviewOptions,
): Readonly<Record<string, Reviewer>> {
  return {
    selfsubjectreviews: ({ apiVersion, kind }, { user }) => ({
      apiVersion,
      kind,
      metadata: { creationTimestamp: formatTime(options.clock.now()) },
      status: { userInfo: userObject(user) },
    }),
    tokenreviews: async (review) => ({ ...review, status: await tokenStatus(options, review) }),
  };
}

async function tokenStatus(
  { tokens, audiences: own }: IdentityReviewOptions,
  { spec }: JsonObject,
): Promise<JsonObject> {
  const of = isObject(spec) ? spec : {};
  const token = getOwn(of, 'token') ?? '';
  if (typeof token !== 'string' || token === '') {
    throw badRequest('token is required for TokenReview in authentication');
  }
  const wanted = textsOf(getOwn(of, 'audiences'));
  const owner = await ownerOf(tokens, token, wanted);
  const audiences = owner === undefined ? undefined : audiencesOf(owner, wanted, own);
  // The reason goes to the log only: an attacker who tries tokens must not learn it.
  if (owner === undefined || audiences === undefined) {
    return { user: {}, error: 'invalid bearer token' };
  }
  return {
    authenticated: true,
    user: userObject(owner.user),
    ...(audiences.length === 0 ? {} : { audiences: [...audiences] }),
  };
}

async function ownerOf(
  tokens: TokenAuthenticator,
  token: string,
  audiences: readonly string[],
): Promise<TokenOwner | undefined> {
  try {
    return await tokens.authenticateToken(token, audiences);
  } catch (error) {
    if (error instanceof CredentialError) return undefined;
    throw error;
  }
}

/**
 * For whom the token was made, of those that were asked for; undefined: for none
 * of them. A token that does not say is for this server.
 */
function audiencesOf(
  owner: TokenOwner,
  wanted: readonly string[],
  own: readonly string[],
): readonly string[] | undefined {
  if (owner.audiences.length > 0 || wanted.length === 0) return owner.audiences;
  const common = wanted.filter((audience) => own.includes(audience));
  return common.length === 0 ? undefined : common;
}

/** A user as reviews show it: what is empty is left out. */
function userObject({ name, uid, groups, extra }: UserInfo): JsonObject {
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [
    key,
    [...values],
  ]);
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
