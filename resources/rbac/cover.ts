import { ALL, rule, type PolicyRule } from './rules.ts';

/** A refusal names no more parts than these. */
const MAX_MISSING = 1_000;
/**
 * Comparisons of a rule, or of a part of one, with an owned rule that may hold
 * it. Rules can be written whose parts are without number; beyond this bound a
 * rule counts as not held.
 */
const MAX_COMPARISONS = 250_000;

/**
 * Which parts of `wanted` are not held by a user with the rules `owned`? Each
 * part has one verb, one resource (or path) and at most one name, so that it is
 * held by one rule or not at all. Source: k8s.io/component-helpers
 * auth/rbac/validation (behaviours 10.5).
 */
export function missingRules(
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  const held = new OwnedRules(owned);
  const missing: PolicyRule[] = [];
  for (const policy of wanted) {
    // Most rules are held as they stand; only others are taken apart.
    if (held.hold(policy)) continue;
    if (held.isExhausted() || numberOfParts(policy) > MAX_COMPARISONS) return [...missing, policy];
    for (const part of partsOf(policy)) {
      if (held.hold(part)) continue;
      missing.push(part);
      if (missing.length >= MAX_MISSING) return missing;
      if (held.isExhausted()) return missing;
    }
  }
  return missing;
}

/** Finds the rules that may hold another one by its first resource, or its first path. */
class OwnedRules {
  readonly #all: OwnedRule[] = [];
  readonly #byResource = new Map<string, OwnedRule[]>();
  readonly #withPaths: OwnedRule[] = [];
  #left = MAX_COMPARISONS;

  constructor(policies: readonly PolicyRule[]) {
    for (const policy of policies) {
      const owned = new OwnedRule(policy);
      this.#all.push(owned);
      if (policy.nonResourceURLs.length > 0) this.#withPaths.push(owned);
      for (const resource of new Set(policy.resources)) {
        const those = this.#byResource.get(resource);
        if (those === undefined) this.#byResource.set(resource, [owned]);
        else those.push(owned);
      }
    }
  }

  isExhausted(): boolean {
    return this.#left <= 0;
  }

  hold(policy: PolicyRule): boolean {
    return this.#candidates(policy).some((rules) =>
      rules.some((owned) => this.#left-- > 0 && owned.holds(policy)),
    );
  }

  #candidates({ resources, nonResourceURLs }: PolicyRule): readonly OwnedRule[][] {
    const [resource] = resources;
    if (resource === undefined) return [nonResourceURLs.length > 0 ? this.#withPaths : this.#all];
    const slash = resource.indexOf('/');
    const names = [ALL, resource, ...(slash >= 0 ? [`*${resource.slice(slash)}`] : [])];
    return [...new Set(names)].map((name) => this.#byResource.get(name) ?? []);
  }
}

class OwnedRule {
  readonly #verbs: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;
  readonly #resources: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #paths: OwnedPaths;

  constructor(policy: PolicyRule) {
    this.#verbs = new Set(policy.verbs);
    this.#groups = new Set(policy.apiGroups);
    this.#resources = new Set(policy.resources);
    this.#names = new Set(policy.resourceNames);
    this.#paths = new OwnedPaths(policy.nonResourceURLs);
  }

  /** All of it, by this rule alone. */
  holds(policy: PolicyRule): boolean {
    return (
      policy.verbs.every((verb) => this.#holdsVerb(verb)) &&
      policy.apiGroups.every((group) => this.#holdsGroup(group)) &&
      policy.resources.every((resource) => this.#holdsResource(resource)) &&
      this.#holdsNames(policy.resourceNames) &&
      policy.nonResourceURLs.every((path) => this.#paths.hold(path))
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
}

/** Paths and beginnings of paths (`/logs*`), found without a look at each of them. */
class OwnedPaths {
  readonly #exact: ReadonlySet<string>;
  /** In order, and none is the beginning of another one. */
  readonly #beginnings: readonly string[];

  constructor(paths: readonly string[]) {
    this.#exact = new Set(paths);
    const patterns = paths.filter((path) => path.endsWith(ALL));
    const beginnings: string[] = [];
    for (const each of patterns.map((path) => path.replace(/\*+$/, '')).sort()) {
      const last = beginnings.at(-1);
      if (last === undefined || !each.startsWith(last)) beginnings.push(each);
    }
    this.#beginnings = beginnings;
  }

  hold(path: string): boolean {
    if (this.#exact.has(path)) return true;
    // The beginning of a path sorts right before it when none begins another one.
    let low = 0;
    let high = this.#beginnings.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#beginnings[middle] as string) <= path) low = middle + 1;
      else high = middle;
    }
    const nearest = this.#beginnings[low - 1];
    return nearest !== undefined && path.startsWith(nearest);
  }
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
