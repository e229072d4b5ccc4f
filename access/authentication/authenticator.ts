import type { UserInfo } from '../../api/user.ts';
import type { ApiRequest } from '../../http/message.ts';

/** The parts of a request that can say who asks. */
export type Credentials = Pick<ApiRequest, 'headers' | 'rawHeaders' | 'peer'>;

/** One way to find out who asks. What needs no look elsewhere answers at once. */
export interface Authenticator {
  readonly name: string;
  /**
   * The user; undefined when the request carries no credential of this kind;
   * throws when it carries one that is not valid.
   */
  authenticate(request: Credentials): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** Whom a token belongs to. */
export interface TokenOwner {
  readonly user: UserInfo;
  /** For whom the token was made, of those that were asked for; empty: it does not say. */
  readonly audiences: readonly string[];
}

/** One kind of bearer tokens. */
export interface TokenAuthenticator {
  readonly name: string;
  /**
   * The owner; undefined when the token is none of this kind; throws when it is
   * one, and not valid. `audiences`: for whom it has to be made; empty: for this server.
   */
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): TokenOwner | undefined | Promise<TokenOwner | undefined>;
}

/** A credential is not valid; the client learns no more than that. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}

/** Whether a credential is valid cannot be said now: the server that knows does not answer. */
export class UndecidedCredential extends CredentialError {}

export const AUTHENTICATED_GROUP = 'system:authenticated';
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
export const ANONYMOUS_NAME = 'system:anonymous';

export const ANONYMOUS: UserInfo = {
  name: ANONYMOUS_NAME,
  uid: '',
  groups: [UNAUTHENTICATED_GROUP],
  extra: {},
};

/** The user with the group that everyone has who was recognised. */
export function authenticated(user: UserInfo): UserInfo {
  return user.groups.includes(AUTHENTICATED_GROUP)
    ? user
    : { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] };
}
