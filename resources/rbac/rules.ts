import { neutralGroup } from '../../api/naming.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';

/** A rule of a Role or ClusterRole: verbs on resources, or verbs on paths. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: all names. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Stands for all verbs, groups, resources or paths. */
export const ALL = '*';

/** Everything there is. A user who holds it may make aggregated roles. */
export const FULL_AUTHORITY: readonly PolicyRule[] = [
  rule({ verbs: [ALL], apiGroups: [ALL], resources: [ALL] }),
  rule({ verbs: [ALL], nonResourceURLs: [ALL] }),
];

/** A rule with empty lists for what `fields` leaves out. */
export function rule(fields: Partial<PolicyRule>): PolicyRule {
  return {
    verbs: [],
    apiGroups: [],
    resources: [],
    resourceNames: [],
    nonResourceURLs: [],
    ...fields,
  };
}

/**
 * The rules of a Role or ClusterRole as it is stored; what is malformed grants
 * nothing. Groups by either of their names are the same group.
 */
export function rulesOf(role: JsonObject): PolicyRule[] {
  const rules = getOwn(role, 'rules');
  if (!Array.isArray(rules)) return [];
  return rules.filter(isObject).map((each) =>
    rule({
      verbs: texts(each.verbs),
      apiGroups: texts(each.apiGroups).map(neutralGroup),
      resources: texts(each.resources),
      resourceNames: texts(each.resourceNames),
      nonResourceURLs: texts(each.nonResourceURLs),
    }),
  );
}

/** The rule as it stands in an object: empty lists are left out. */
export function ruleObject(policy: PolicyRule): JsonObject {
  const object: JsonObject = { verbs: [...policy.verbs] };
  for (const key of ['apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const) {
    if (policy[key].length > 0) object[key] = [...policy[key]];
  }
  return object;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** `{APIGroups:["a"], Resources:["b"], Verbs:["get" "list"]}`, as clients know it from refusals. */
export function ruleText(policy: PolicyRule): string {
  const parts: [string, readonly string[]][] = [
    ['APIGroups', policy.apiGroups],
    ['Resources', policy.resources],
    ['NonResourceURLs', policy.nonResourceURLs],
    ['ResourceNames', policy.resourceNames],
    ['Verbs', policy.verbs],
  ];
  const shown = parts.filter(([, values]) => values.length > 0);
  return `{${shown.map(([name, values]) => `${name}:${quotedList(values)}`).join(', ')}}`;
}

/** `["a" "b"]` */
export function quotedList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
