import type { UserInfo } from '../../api/user.ts';
import type { RequestInfo } from '../../http/request-info.ts';

export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

export const AUDIT_STAGES = [
  'RequestReceived',
  'ResponseStarted',
  'ResponseComplete',
  'Panic',
] as const;
export type AuditStage = (typeof AUDIT_STAGES)[number];

export interface GroupResources {
  readonly group: string;
  /** `pods`, `pods/status`, `pods/*`, `*` before `/status`, `*`; none: all of the group. */
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean | undefined;
}

export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** What is written of one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

const NOTHING: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false };

/** Compiled rules: the first one that matches decides; without any, nothing is written. */
export class AuditDecider {
  readonly #rules: readonly { rule: AuditRule; decision: AuditDecision }[];

  constructor(policy: AuditPolicy) {
    this.#rules = policy.rules.map((rule) => ({
      rule,
      decision: {
        level: rule.level,
        omitStages: new Set([...policy.omitStages, ...rule.omitStages]),
        omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
      },
    }));
  }

  decide(info: RequestInfo, user: UserInfo | undefined): AuditDecision {
    return this.#rules.find(({ rule }) => matches(rule, info, user))?.decision ?? NOTHING;
  }
}

function matches(rule: AuditRule, info: RequestInfo, user: UserInfo | undefined): boolean {
  const { users, userGroups, verbs } = rule;
  if (users.length > 0 && !users.includes(user?.name ?? '')) return false;
  if (userGroups.length > 0 && !userGroups.some((g) => user?.groups.includes(g))) return false;
  if (verbs.length > 0 && !verbs.includes(info.verb)) return false;
  if (rule.resources.length === 0 && rule.namespaces.length === 0) {
    // A rule for paths says nothing of resources.
    return rule.nonResourceURLs.length === 0 || (!info.isResource && matchesPath(rule, info.path));
  }
  return info.isResource && matchesNamespace(rule, info) && matchesResource(rule, info);
}

function matchesPath({ nonResourceURLs }: AuditRule, path: string): boolean {
  return nonResourceURLs.some(
    (url) => url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))),
  );
}

function matchesNamespace({ namespaces }: AuditRule, { namespace }: RequestInfo): boolean {
  return namespaces.length === 0 || namespaces.includes(namespace);
}

function matchesResource({ resources }: AuditRule, info: RequestInfo): boolean {
  if (resources.length === 0) return true;
  const { group, resource, subresource, name } = info;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (entry) =>
      entry.group === group &&
      (entry.resourceNames.length === 0 || entry.resourceNames.includes(name)) &&
      (entry.resources.length === 0 ||
        entry.resources.some(
          (pattern) =>
            pattern === '*' ||
            pattern === full ||
            (subresource !== '' && (pattern === `*/${subresource}` || pattern === `${resource}/*`)),
        )),
  );
}
