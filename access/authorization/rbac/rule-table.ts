import { ALL, type PolicyRule } from '../../../resources/rbac/rules.ts';

/** What is asked of a table: a verb on a resource. */
export interface ResourceQuery {
  readonly verb: string;
  readonly group: string;
  /** `resource`, or `resource/subresource`. */
  readonly combined: string;
  /** The subresource behind a star and a slash; empty for the object itself. */
  readonly anySubresource: string;
  readonly name: string;
}

/** Which names a rule is for, and where it comes from. */
interface Names<S> {
  all: S | undefined;
  some: Map<string, S> | undefined;
}

type ByResource<S> = Map<string, Names<S>>;
type ByGroup<S> = Map<string, ByResource<S>>;

/** A rule whose parts are too many to be listed one by one. */
interface WideRule<S extends object> {
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly paths: PathTable<S>;
  readonly source: S;
}

/** More entries than these are kept as rules; the limit bounds what a role may cost. */
const MAX_ENTRIES = 20_000;

/**
 * Rules by what they allow: a question costs a few look-ups, however many rules
 * there are. Each rule carries where it comes from (`S`), which is the answer.
 */
export class RuleTable<S extends object> {
  /** By verb, group, resource. */
  readonly #resources = new Map<string, ByGroup<S>>();
  readonly #paths = new Map<string, PathTable<S>>();
  readonly #wide: WideRule<S>[] = [];
  #entries = 0;

  add(rule: PolicyRule, source: S): void {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const names = Math.max(resourceNames.length, 1);
    const objects = apiGroups.length * resources.length * names;
    this.#entries += verbs.length * (objects + nonResourceURLs.length);
    if (this.#entries > MAX_ENTRIES) {
      this.#wide.push(wideRule(rule, source));
      return;
    }
    for (const verb of verbs) {
      if (nonResourceURLs.length > 0) {
        const paths = getOrMake(this.#paths, verb, () => new PathTable<S>());
        for (const url of nonResourceURLs) paths.add(url, source);
      }
      if (objects === 0) continue;
      const groups = getOrMake<string, ByGroup<S>>(this.#resources, verb, () => new Map());
      for (const group of apiGroups) {
        const byResource = getOrMake<string, ByResource<S>>(groups, group, () => new Map());
        for (const resource of resources) addNames(byResource, resource, resourceNames, source);
      }
    }
  }

  /** Where the right comes from; undefined: there is none. Source: behaviours 10.5. */
  findResource(query: ResourceQuery): S | undefined {
    return (
      inVerb(this.#resources.get(query.verb), query) ??
      inVerb(this.#resources.get(ALL), query) ??
      (this.#wide.length === 0 ? undefined : this.#findWide(query))
    );
  }

  findPath(verb: string, path: string): S | undefined {
    const found = this.#paths.get(verb)?.find(path) ?? this.#paths.get(ALL)?.find(path);
    if (found !== undefined || this.#wide.length === 0) return found;
    return this.#wide.find(
      ({ verbs, paths }) => (verbs.has(verb) || verbs.has(ALL)) && paths.find(path),
    )?.source;
  }

  #findWide(query: ResourceQuery): S | undefined {
    const { verb, group, combined, anySubresource, name } = query;
    return this.#wide.find(
      (rule) =>
        (rule.verbs.has(verb) || rule.verbs.has(ALL)) &&
        (rule.groups.has(group) || rule.groups.has(ALL)) &&
        (rule.resources.has(combined) ||
          rule.resources.has(ALL) ||
          (anySubresource !== '' && rule.resources.has(anySubresource))) &&
        (rule.names.size === 0 || rule.names.has(name)),
    )?.source;
  }
}

/** Paths as rules name them: exactly, or with a star at the end for all that follows. */
class PathTable<S extends object> {
  readonly #exact = new Map<string, S>();
  readonly #prefixes = new Map<string, S>();
  /** Lengths of the prefixes: so many have to be tried. */
  readonly #lengths = new Set<number>();

  add(url: string, source: S): void {
    if (!this.#exact.has(url)) this.#exact.set(url, source);
    if (!url.endsWith(ALL)) return;
    const prefix = url.replace(/\*+$/, '');
    if (!this.#prefixes.has(prefix)) this.#prefixes.set(prefix, source);
    this.#lengths.add(prefix.length);
  }

  find(path: string): S | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    for (const length of this.#lengths) {
      if (length > path.length) continue;
      const found = this.#prefixes.get(path.slice(0, length));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function wideRule<S extends object>(rule: PolicyRule, source: S): WideRule<S> {
  const paths = new PathTable<S>();
  for (const url of rule.nonResourceURLs) paths.add(url, source);
  return {
    verbs: new Set(rule.verbs),
    groups: new Set(rule.apiGroups),
    resources: new Set(rule.resources),
    names: new Set(rule.resourceNames),
    paths,
    source,
  };
}

function inVerb<S>(groups: ByGroup<S> | undefined, query: ResourceQuery): S | undefined {
  if (groups === undefined) return undefined;
  return inGroup(groups.get(query.group), query) ?? inGroup(groups.get(ALL), query);
}

function inGroup<S>(
  resources: ByResource<S> | undefined,
  { combined, anySubresource, name }: ResourceQuery,
): S | undefined {
  if (resources === undefined) return undefined;
  return (
    named(resources.get(combined), name) ??
    named(resources.get(ALL), name) ??
    (anySubresource === '' ? undefined : named(resources.get(anySubresource), name))
  );
}

function named<S>(names: Names<S> | undefined, name: string): S | undefined {
  return names?.all ?? names?.some?.get(name);
}

function addNames<S>(
  resources: ByResource<S>,
  resource: string,
  names: readonly string[],
  source: S,
): void {
  const entry = getOrMake(resources, resource, () => ({ all: undefined, some: undefined }));
  if (names.length === 0) {
    entry.all ??= source;
    return;
  }
  entry.some ??= new Map();
  for (const name of names) if (!entry.some.has(name)) entry.some.set(name, source);
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
