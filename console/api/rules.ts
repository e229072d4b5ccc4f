import { listAt, type Json } from './json.ts';

/** What a user may do, as SelfSubjectRulesReview lists it. */
export interface Rule {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly names: readonly string[];
}

/** The rules of a finished SelfSubjectRulesReview. */
export function rulesOf(review: Json): Rule[] {
  return listAt(review, 'status', 'resourceRules').map((rule) => ({
    verbs: texts(listAt(rule, 'verbs')),
    groups: texts(listAt(rule, 'apiGroups')),
    resources: texts(listAt(rule, 'resources')),
    names: texts(listAt(rule, 'resourceNames')),
  }));
}

const texts = (list: readonly Json[]): string[] => list.filter((each) => typeof each === 'string');

/** A question about a right; without a name: about some object of the kind at least. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** `plural` or `plural/subresource`. */
  readonly resource: string;
  readonly name?: string;
}

/** Whether one of the rules allows it. */
export function isAllowed(rules: readonly Rule[], right: Right): boolean {
  return rules.some((rule) => allows(rule, right));
}

/** Whether this rule allows it. */
export function allows(rule: Rule, { verb, group, resource, name }: Right): boolean {
  const subresource = resource.includes('/')
    ? `*/${resource.slice(resource.indexOf('/') + 1)}`
    : '';
  return (
    has(rule.verbs, verb) &&
    has(rule.groups, group) &&
    (has(rule.resources, resource) ||
      (subresource !== '' && rule.resources.includes(subresource))) &&
    (rule.names.length === 0 || (name !== undefined && rule.names.includes(name)))
  );
}

const has = (list: readonly string[], text: string): boolean =>
  list.includes('*') || list.includes(text);
