import { ApiError } from '../../api/api-error.ts';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  domainPrefixedPathErrors,
} from '../../api/names.ts';
import { SUPERUSERS, type UserInfo } from '../../api/user.ts';
import { AUTHENTICATION_GROUP } from '../../resources/authentication/identity-reviews.ts';
import {
  ANONYMOUS_NAME,
  AUTHENTICATED_GROUP,
  UNAUTHENTICATED_GROUP,
} from '../authentication/authenticator.ts';
import { NO_ATTRIBUTES, type AuthorizationAttributes, type Authorizer } from './authorizer.ts';
import { refusal } from './refusal.ts';

const NODES_GROUP = 'system:nodes';
const NODE_PREFIX = 'system:node:';
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]*):([^:]*)$/;

/** The impersonated user, and the verb that allowed it if it was a limited permission. */
interface Impersonation {
  readonly user: UserInfo;
  /** Empty: the plain right to impersonate. */
  readonly constraint: string;
}

/** A limited form of impersonation: one kind of user, with a permission for each action. */
interface Mode {
  readonly name: string;
  /** Is this the way to be such a user? */
  readonly isFor: (wanted: UserInfo) => boolean;
}

const MODES: readonly Mode[] = [
  { name: 'arbitrary-node', isFor: (wanted) => isOnlyName(wanted) && isNode(wanted.name) },
  {
    name: 'serviceaccount',
    isFor: (wanted) => isOnlyName(wanted) && serviceAccountOf(wanted.name) !== undefined,
  },
  {
    name: 'user-info',
    isFor: ({ name }) => !isNode(name) && serviceAccountOf(name) === undefined,
  },
];

/**
 * May the requester be the wanted user for this action? Every part of the user
 * is authorised by itself. Limited rights come first: `impersonate-on:<mode>:<verb>`
 * for the action and `impersonate:<mode>` for each part of the user; then the
 * plain verb `impersonate`, for which the action does not matter. Source:
 * behaviours 10.3, KEP-5284.
 *
 * @throws ApiError 403 with the first right that was missing
 */
export async function impersonate(
  authorizer: Authorizer,
  action: AuthorizationAttributes,
  wanted: UserInfo,
): Promise<Impersonation> {
  let first: unknown;
  const may = async (attributes: AuthorizationAttributes): Promise<void> => {
    const { decision, reason } = await authorizer.authorize(attributes);
    if (decision !== 'allow') throw refusal(attributes, reason);
  };
  const attempts = MODES.filter((mode) => mode.isFor(wanted)).map((mode) => () => {
    return limited(mode, may, action, wanted);
  });
  for (const attempt of [...attempts, () => plain(may, action.user, wanted)]) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 403) throw error;
      first ??= error;
    }
  }
  throw first;
}

type May = (attributes: AuthorizationAttributes) => Promise<void>;

async function limited(
  { name }: Mode,
  may: May,
  action: AuthorizationAttributes,
  wanted: UserInfo,
): Promise<Impersonation> {
  await may({ ...action, verb: `impersonate-on:${name}:${action.verb}` });
  const verb = `impersonate:${name}`;
  const on = partsOf(action.user, verb, AUTHENTICATION_GROUP);
  checkLimits(on, wanted);
  await authorizeParts(may, on, wanted, true);
  return { user: completed(wanted, true), constraint: verb };
}

async function plain(may: May, requester: UserInfo, wanted: UserInfo): Promise<Impersonation> {
  await authorizeParts(may, partsOf(requester, 'impersonate', ''), wanted, false);
  return { user: completed(wanted, false), constraint: '' };
}

type Part = (
  resource: string,
  name: string,
  more?: Partial<AuthorizationAttributes>,
) => AuthorizationAttributes;

/** Users and groups are parts of the core group under the plain verb, of authentication otherwise. */
function partsOf(user: UserInfo, verb: string, groupOfNames: string): Part {
  return (resource, name, more = {}) => ({
    ...NO_ATTRIBUTES,
    user,
    verb,
    isResource: true,
    group: ['uids', 'userextras'].includes(resource) ? AUTHENTICATION_GROUP : groupOfNames,
    version: 'v1',
    resource,
    name,
    ...more,
  });
}

async function authorizeParts(
  may: May,
  part: Part,
  wanted: UserInfo,
  isLimited: boolean,
): Promise<void> {
  await may(namePart(part, wanted.name, isLimited));
  if (wanted.uid !== '') await may(part('uids', wanted.uid));
  for (const group of wanted.groups) await may(part('groups', group));
  for (const [subresource, values] of Object.entries(wanted.extra)) {
    for (const value of values) await may(part('userextras', value, { subresource }));
  }
}

function namePart(part: Part, name: string, isLimited: boolean): AuthorizationAttributes {
  const account = serviceAccountOf(name);
  if (account !== undefined) {
    return part('serviceaccounts', account.name, { namespace: account.namespace });
  }
  if (isLimited && isNode(name)) return part('nodes', name.slice(NODE_PREFIX.length));
  return part('users', name);
}

/** What a limited permission never covers, whatever was granted. */
function checkLimits(part: Part, { groups, extra }: UserInfo): void {
  if (groups.includes('')) {
    throw refusal(part('groups', ''), 'impersonating the empty string group is not allowed');
  }
  if (groups.includes(SUPERUSERS)) {
    const why = `impersonating the ${SUPERUSERS} group is not allowed`;
    throw refusal(part('groups', SUPERUSERS), why);
  }
  for (const [key, values] of Object.entries(extra)) {
    const why = problemOfExtra(key, values);
    if (why !== undefined) throw refusal(part('userextras', ''), why);
  }
}

function problemOfExtra(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  if (domainPrefixedPathErrors(key).length > 0 || key !== key.toLowerCase()) {
    return 'impersonating an invalid key in extra is not allowed';
  }
  if (values.includes('')) {
    return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

/** The user with the groups that follow from its name, and the one of all who are known, or unknown. */
function completed(wanted: UserInfo, isLimited: boolean): UserInfo {
  const groups = wanted.groups.length === 0 ? impliedGroups(wanted.name, isLimited) : wanted.groups;
  const everyone =
    wanted.name === ANONYMOUS_NAME
      ? UNAUTHENTICATED_GROUP
      : groups.includes(UNAUTHENTICATED_GROUP)
        ? undefined
        : AUTHENTICATED_GROUP;
  const isMissing = everyone !== undefined && !groups.includes(everyone);
  return { ...wanted, groups: isMissing ? [...groups, everyone] : groups };
}

function impliedGroups(name: string, isLimited: boolean): string[] {
  const account = serviceAccountOf(name);
  if (account !== undefined) {
    return ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  }
  return isLimited && isNode(name) ? [NODES_GROUP] : [];
}

function isOnlyName({ uid, groups, extra }: UserInfo): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

function isNode(name: string): boolean {
  return (
    name.startsWith(NODE_PREFIX) &&
    dns1123SubdomainErrors(name.slice(NODE_PREFIX.length)).length === 0
  );
}

function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  const [, namespace = '', name = ''] = SERVICE_ACCOUNT.exec(user) ?? [];
  if (dns1123LabelErrors(namespace).length > 0 || dns1123SubdomainErrors(name).length > 0)
    return undefined;
  return { namespace, name };
}
