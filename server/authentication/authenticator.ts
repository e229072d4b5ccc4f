import type { UserInfo } from '../../api/user.ts';
import type { ApiRequest } from '../http/message.ts';

/** One way to find out who asks. */
export interface Authenticator {
  readonly name: string;
  /**
   * The user; undefined when the request carries no credential of this kind;
   * throws when it carries one that is not valid.
   */
  authenticate(request: ApiRequest): Promise<UserInfo | undefined>;
}

export const AUTHENTICATED_GROUP = 'system:authenticated';

export const ANONYMOUS: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

/** The user with the group that everyone has who was recognised. */
export function authenticated(user: UserInfo): UserInfo {
  return user.groups.includes(AUTHENTICATED_GROUP)
    ? user
    : { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] };
}
