/** Who makes a request, as authentication found out. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Members of this group may do everything; authorizers are not asked. */
export const SUPERUSERS = 'system:masters';

/** The server's own background loops. */
export const SYSTEM_USER: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: [SUPERUSERS, 'system:authenticated'],
  extra: {},
};
