import type { JsonObject } from '../../../../api/json.ts';
import type { UserInfo } from '../../../../api/user.ts';
import type { AuthorizationAttributes } from '../../authorizer.ts';
import { NO_ATTRIBUTES } from '../../authorizer.ts';

/** RBAC as its description reads: every binding, every subject, every rule. For tests. */

interface ModelRule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

interface ModelSubject {
  kind: 'User' | 'Group' | 'ServiceAccount';
  name: string;
  namespace?: string;
}

/** Roles and bindings by their keys below the group: `clusterroles/a`, `rolebindings/team/b`. */
type ModelState = ReadonlyMap<string, JsonObject>;

export function modelAllows(state: ModelState, asked: AuthorizationAttributes): boolean {
  for (const [key, binding] of state) {
    const [resource, first = '', second] = key.split('/');
    if (resource !== 'clusterrolebindings' && resource !== 'rolebindings') continue;
    const namespace = second === undefined ? '' : first;
    if (namespace !== '' && (!asked.isResource || asked.namespace !== namespace)) continue;
    const subjects = binding.subjects as unknown as ModelSubject[];
    if (!subjects.some((subject) => isOf(asked.user, subject))) continue;
    const { kind, name } = binding.roleRef as { kind: string; name: string };
    const role = state.get(kind === 'Role' ? `roles/${namespace}/${name}` : `clusterroles/${name}`);
    const rules = (role?.rules ?? []) as unknown as ModelRule[];
    if (rules.some((rule) => holds(rule, asked))) return true;
  }
  return false;
}

function isOf(user: UserInfo, { kind, name, namespace = '' }: ModelSubject): boolean {
  if (kind === 'User') return user.name === name;
  if (kind === 'Group') return user.groups.includes(name);
  return user.name === `system:serviceaccount:${namespace}:${name}`;
}

function holds(rule: ModelRule, asked: AuthorizationAttributes): boolean {
  const has = (list: string[] | undefined, word: string): boolean =>
    list !== undefined && (list.includes('*') || list.includes(word));
  if (!has(rule.verbs, asked.verb)) return false;
  if (!asked.isResource) {
    return (rule.nonResourceURLs ?? []).some(
      (url) => url === asked.path || (url.endsWith('*') && asked.path.startsWith(url.slice(0, -1))),
    );
  }
  const { resource, subresource, name } = asked;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const isResource =
    has(rule.resources, combined) ||
    (subresource !== '' && (rule.resources ?? []).includes(`*/${subresource}`));
  const names = rule.resourceNames ?? [];
  return (
    has(rule.apiGroups, asked.group) && isResource && (names.length === 0 || names.includes(name))
  );
}

export function asked(
  user: UserInfo,
  fields: Partial<AuthorizationAttributes>,
): AuthorizationAttributes {
  return { ...NO_ATTRIBUTES, user, verb: 'get', ...fields };
}
