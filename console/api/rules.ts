import { at, listAt, type Json } from './json.ts';

/** What a user may do, as SelfSubjectRulesReview lists it. */
export interface Rule {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly names: readonly string[];
}

/** What a user may ask of paths that name no resource; a `*` at the end stands for the rest. */
interface PathRule {
  readonly verbs: readonly string[];
  readonly paths: readonly string[];
}

/** All that a SelfSubjectRulesReview says. */
export interface Rights {
  readonly rules: readonly Rule[];
  readonly paths: readonly PathRule[];
  /** There may be more rights than these. */
  readonly isIncomplete: boolean;
}

/** The rights of a finished SelfSubjectRulesReview. */
export function rightsOf(review: Json): Rights {
  return {
    rules: rulesOf(review),
    paths: listAt(review, 'status', 'nonResourceRules').map((rule) => ({
      verbs: texts(listAt(rule, 'verbs')),
      paths: texts(listAt(rule, 'nonResourceURLs')),
    })),
    isIncomplete: at(review, 'status', 'incomplete') === true,
  };
}

function rulesOf(review: Json): Rule[] {
  return listAt(review, 'status', 'resourceRules').map((rule) => ({
    verbs: texts(listAt(rule, 'verbs')),
    groups: texts(listAt(rule, 'apiGroups')),
    resources: texts(listAt(rule, 'resources')),
    names: texts(listAt(rule, 'resourceNames')),
  }));
}

const texts = (list: readonly Json[]): string[] => list.filter((each) => typeof each === 'string');

/** A question about a right; without a name: about every object of the kind. */
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
export function allows(rule: Rule, { name, ...right }: Right): boolean {
  return (
    isAbout(rule, right) &&
    (rule.names.length === 0 || (name !== undefined && rule.names.includes(name)))
  );
}

/** The names of objects that rules allow this of; the empty name stands for all of them. */
export function namesAllowed(rules: readonly Rule[], right: Omit<Right, 'name'>): string[] {
  const names = rules
    .filter((rule) => isAbout(rule, right))
    .flatMap((rule) => (rule.names.length === 0 ? [''] : rule.names));
  return [...new Set(names)].sort();
}

function isAbout(rule: Rule, { verb, group, resource }: Omit<Right, 'name'>): boolean {
  const subresource = resource.includes('/')
    ? `*/${resource.slice(resource.indexOf('/') + 1)}`
    : '';
  return (
    has(rule.verbs, verb) &&
    has(rule.groups, group) &&
    (has(rule.resources, resource) || (subresource !== '' && rule.resources.includes(subresource)))
  );
}

/** Whether the rules allow to get a path that names no resource. */
export function isPathAllowed(rules: readonly PathRule[], path: string): boolean {
  return rules.some(
    ({ verbs, paths }) =>
      has(verbs, 'get') &&
      paths.some((each) =>
        each.endsWith('*') ? path.startsWith(each.slice(0, -1)) : each === path,
      ),
  );
}

const has = (list: readonly string[], text: string): boolean =>
  list.includes('*') || list.includes(text);
