import type { GroupVersionResource } from '../../api/group-version.ts';
import { aliasGroup, neutralGroup } from '../../api/naming.ts';
import type { NamedRuleValue } from '../../resources/admissionregistration/match-resources.ts';
import { isNamespace, type AdmissionAttributes, type Operation } from '../attributes.ts';

/** Where a request goes, as rules see it. */
export interface RequestPlace {
  readonly operation: Operation;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Namespaces count as cluster-scoped, subresources as what they belong to. */
  readonly isClusterScoped: boolean;
}

/** What of a request the rules of webhooks and policies look at. */
export function placeOf(attributes: AdmissionAttributes): RequestPlace {
  const { operation, resource, subresource, namespace } = attributes;
  const isClusterScoped = namespace === '' || isNamespace(attributes);
  return { operation, resource, subresource, isClusterScoped };
}

const ALL = '*';

interface ResourcePattern {
  readonly resource: string;
  readonly subresource: string;
}

/**
 * One rule of a webhook or policy, compiled. Source: specification 3, section
 * 2.3, RuleWithOperations; k8s.io/apiserver webhook predicates. Groups may be
 * written by either of their names: requests know the neutral one only.
 */
export class Rule {
  readonly #operations: readonly string[];
  readonly #groups: readonly string[];
  /** As they are written. */
  readonly #written: readonly string[];
  readonly #versions: readonly string[];
  readonly #resources: readonly ResourcePattern[];
  readonly #scope: string;
  readonly #names: readonly string[];
  readonly #starCoversParent: boolean;

  /**
   * `starCoversParent`: `pods/*` is about pods, too. Rules of webhooks are not:
   * the specification says subresources; rules of policies have always been.
   */
  constructor(value: NamedRuleValue, starCoversParent = false) {
    this.#starCoversParent = starCoversParent;
    this.#operations = value.operations ?? [];
    this.#written = value.apiGroups ?? [];
    this.#groups = this.#written.map(neutralGroup);
    this.#versions = value.apiVersions ?? [];
    this.#resources = (value.resources ?? []).map(splitResource);
    this.#scope = value.scope ?? ALL;
    this.#names = value.resourceNames ?? [];
  }

  /** `resource`: the one of the request in the version that is asked for. */
  matches(place: RequestPlace, { group, version, resource }: GroupVersionResource): boolean {
    return (
      covers(this.#operations, place.operation) &&
      covers(this.#groups, group) &&
      covers(this.#versions, version) &&
      this.#coversScope(place.isClusterScoped) &&
      this.#coversResource(resource, place.subresource)
    );
  }

  /** Is it by its alias alone that the rule names the group? */
  namesAlias(group: string): boolean {
    const alias = aliasGroup(group);
    return alias !== group && this.#written.includes(alias) && !covers(this.#written, group);
  }

  /** Rules of policies may be about some objects only. */
  matchesName(name: string): boolean {
    return this.#names.length === 0 || this.#names.includes(name);
  }

  #coversScope(isClusterScoped: boolean): boolean {
    switch (this.#scope) {
      case ALL:
      case '':
        return true;
      case 'Cluster':
        return isClusterScoped;
      case 'Namespaced':
        return !isClusterScoped;
      default:
        return false;
    }
  }

  #coversSubresource(wanted: ResourcePattern, subresource: string): boolean {
    if (wanted.subresource !== ALL) return wanted.subresource === subresource;
    return subresource !== '' || wanted.resource === ALL || this.#starCoversParent;
  }

  #coversResource(resource: string, subresource: string): boolean {
    return this.#resources.some(
      (wanted) =>
        (wanted.resource === ALL || wanted.resource === resource) &&
        this.#coversSubresource(wanted, subresource),
    );
  }
}

function covers(words: readonly string[], word: string): boolean {
  return words.includes(ALL) || words.includes(word);
}

/** `pods/log` → pods, log; what has no slash means the resource itself. */
function splitResource(text: string): ResourcePattern {
  const slash = text.indexOf('/');
  return slash < 0
    ? { resource: text, subresource: '' }
    : { resource: text.slice(0, slash), subresource: text.slice(slash + 1) };
}
