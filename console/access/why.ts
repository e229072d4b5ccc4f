import { at, listAt, textAt, type Json } from '../api/json.ts';
import { allows, type Right, type Rule } from '../api/rules.ts';

/** Someone that rights are given to. */
interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  /** Of a service account. */
  readonly namespace: string;
}

/** A binding with the rules of its role. */
export interface Grant {
  readonly binding: string;
  /** Where the rights hold; empty: everywhere. */
  readonly namespace: string;
  readonly role: string;
  readonly isClusterRole: boolean;
  readonly subjects: readonly Subject[];
  readonly rules: readonly Rule[];
}

interface Lists {
  readonly roles: readonly Json[];
  readonly clusterRoles: readonly Json[];
  readonly bindings: readonly Json[];
  readonly clusterBindings: readonly Json[];
}

/** Every binding with what it grants. A role that is missing grants nothing. */
export function grantsOf({ roles, clusterRoles, bindings, clusterBindings }: Lists): Grant[] {
  const rulesBy = new Map<string, Rule[]>();
  const keyOf = (namespace: string, name: string): string => `${namespace}\u0000${name}`;
  for (const role of [...roles, ...clusterRoles]) {
    rulesBy.set(
      keyOf(textAt(role, 'metadata', 'namespace'), textAt(role, 'metadata', 'name')),
      listAt(role, 'rules').map(ruleOf),
    );
  }
  return [...clusterBindings, ...bindings].map((binding) => {
    const namespace = textAt(binding, 'metadata', 'namespace');
    const isClusterRole = textAt(binding, 'roleRef', 'kind') === 'ClusterRole';
    const role = textAt(binding, 'roleRef', 'name');
    return {
      ...{ binding: textAt(binding, 'metadata', 'name'), namespace, role, isClusterRole },
      subjects: listAt(binding, 'subjects').map(subjectOf),
      rules: rulesBy.get(keyOf(isClusterRole ? '' : namespace, role)) ?? [],
    };
  });
}

function ruleOf(rule: Json): Rule {
  const texts = (name: string): string[] => listAt(rule, name).map(String);
  return {
    ...{ verbs: texts('verbs'), groups: texts('apiGroups') },
    ...{ resources: texts('resources'), names: texts('resourceNames') },
  };
}

function subjectOf(subject: Json): Subject {
  const kind = textAt(subject, 'kind');
  return {
    kind: kind === 'Group' || kind === 'ServiceAccount' ? kind : 'User',
    name: textAt(subject, 'name'),
    namespace: textAt(subject, 'namespace'),
  };
}

/** A subject as one text: `alice`, `group team-a`, `account default/robot`. */
export function subjectText({ kind, name, namespace }: Subject): string {
  switch (kind) {
    case 'User':
      return name;
    case 'Group':
      return `group ${name}`;
    case 'ServiceAccount':
      return `account ${namespace}/${name}`;
  }
}

/** Whether a subject is this user, or one of the groups. */
export function isMeant(subject: Subject, user: string, groups: readonly string[]): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user;
    case 'Group':
      return groups.includes(subject.name);
    case 'ServiceAccount':
      return user === `system:serviceaccount:${subject.namespace}:${subject.name}`;
  }
}

/** Why a right is granted. */
interface Reason {
  readonly grant: Grant;
  readonly rule: Rule;
  readonly subjects: readonly Subject[];
}

/**
 * The grants that give a right in a namespace.
 *
 * @param namespace empty: in all namespaces, or of a kind without
 */
export function reasonsFor(grants: readonly Grant[], right: Right, namespace: string): Reason[] {
  return grants.flatMap((grant) => {
    if (grant.namespace !== '' && grant.namespace !== namespace) return [];
    const rule = grant.rules.find((each) => allows(each, right));
    return rule === undefined ? [] : [{ grant, rule, subjects: grant.subjects }];
  });
}

/** Whether a review of access was allowed, and why. */
export function verdictOf(review: Json): { readonly isAllowed: boolean; readonly reason: string } {
  return {
    isAllowed: at(review, 'status', 'allowed') === true,
    reason: textAt(review, 'status', 'reason') || textAt(review, 'status', 'evaluationError'),
  };
}
