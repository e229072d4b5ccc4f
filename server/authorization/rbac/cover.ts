import { ALL, rule, type PolicyRule } from './rules.ts';

/** A refusal names no more parts than these. */
export const MAX_MISSING = 1_000;
/**
 * Comparisons of a part with an owned rule. Rules can be written whose parts are
 * without number; beyond this bound a rule counts as not held.
 */
const MAX_COMPARISONS = 1_000_000;

/**
 * Which parts of `wanted` are not held by somebody with the rules `owned`? Each
 * part has one verb, one resource (or path) and at most one name, so that it is
 * held by one rule or not at all. Source: k8s.io/component-helpers
 * auth/rbac/validation (behaviours 10.5).
 */
export function missingRules(
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  const owners = owned.map((policy) => new OwnedRule(policy));
  const missing: PolicyRule[] = [];
  let left = MAX_COMPARISONS;
  for (const policy of wanted) {
    // Most rules are held as they stand; only others are taken apart.
    if (owners.some((owner) => owner.holds(policy))) continue;
    left -= numberOfParts(policy) * Math.max(owners.length, 1);
    if (left < 0) return [...missing, policy];
    for (const part of partsOf(policy)) {
      if (owners.some((owner) => owner.holds(part))) continue;
      missing.push(part);
      if (missing.length >= MAX_MISSING) return missing;
    }
  }
  return missing;
}

class OwnedRule {
  readonly #verbs: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;
  readonly #resources: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #paths: readonly string[];

  constructor(policy: PolicyRule) {
    this.#verbs = new Set(policy.verbs);
    this.#groups = new Set(policy.apiGroups);
    this.#resources = new Set(policy.resources);
    this.#names = new Set(policy.resourceNames);
    this.#paths = policy.nonResourceURLs;
  }

  /** All of it, by this rule alone. */
  holds(policy: PolicyRule): boolean {
    return (
      policy.verbs.every((verb) => this.#holdsVerb(verb)) &&
      policy.apiGroups.every((group) => this.#holdsGroup(group)) &&
      policy.resources.every((resource) => this.#holdsResource(resource)) &&
      this.#holdsNames(policy.resourceNames) &&
      policy.nonResourceURLs.every((path) => this.#holdsPath(path))
    );
  }

  #holdsVerb(verb: string): boolean {
    return this.#verbs.has(ALL) || this.#verbs.has(verb);
  }

  #holdsGroup(group: string): boolean {
    return this.#groups.has(ALL) || this.#groups.has(group);
  }

  #holdsResource(resource: string): boolean {
    if (this.#resources.has(ALL) || this.#resources.has(resource)) return true;
    const slash = resource.indexOf('/');
    return slash >= 0 && this.#resources.has(`*${resource.slice(slash)}`);
  }

  /** A rule for some names does not hold one for all of them. */
  #holdsNames(names: readonly string[]): boolean {
    if (this.#names.size === 0) return true;
    return names.length > 0 && names.every((name) => this.#names.has(name));
  }

  #holdsPath(path: string): boolean {
    return this.#paths.some((own) => own === path || (own.endsWith(ALL) && covers(own, path)));
  }
}

function covers(pattern: string, path: string): boolean {
  return path.startsWith(pattern.replace(/\*+$/, ''));
}

function numberOfParts(policy: PolicyRule): number {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = policy;
  const names = Math.max(resourceNames.length, 1);
  return verbs.length * (apiGroups.length * resources.length * names + nonResourceURLs.length);
}

function* partsOf(policy: PolicyRule): Generator<PolicyRule, void> {
  const names = policy.resourceNames.length === 0 ? [undefined] : policy.resourceNames;
  for (const group of policy.apiGroups) {
    for (const resource of policy.resources) {
      for (const verb of policy.verbs) {
        for (const name of names) {
          yield rule({
            verbs: [verb],
            apiGroups: [group],
            resources: [resource],
            resourceNames: name === undefined ? [] : [name],
          });
        }
      }
    }
  }
  for (const path of policy.nonResourceURLs) {
    for (const verb of policy.verbs) yield rule({ verbs: [verb], nonResourceURLs: [path] });
  }
}

/** Parts that differ in their verb only become one rule again; for people to read. */
export function compactRules(parts: readonly PolicyRule[]): PolicyRule[] {
  const verbs = new Map<string, { first: PolicyRule; verbs: string[] }>();
  const others: PolicyRule[] = [];
  for (const part of parts) {
    if (part.nonResourceURLs.length > 0) {
      others.push(part);
      continue;
    }
    const key = JSON.stringify([part.apiGroups, part.resources, part.resourceNames]);
    const found = verbs.get(key);
    if (found === undefined) verbs.set(key, { first: part, verbs: [...part.verbs] });
    else found.verbs.push(...part.verbs);
  }
  return [...[...verbs.values()].map((each) => ({ ...each.first, verbs: each.verbs })), ...others];
}
