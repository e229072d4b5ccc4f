import type { MatchResourcesValue } from '../../resources/admissionregistration/match-resources.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { ResourceVersion } from '../kind-access.ts';
import type { NamespaceReader } from '../namespaces.ts';
import type { Ruled } from './candidates.ts';
import { matchedVersion, type MatchPolicy } from './matched-version.ts';
import { Rule } from './rule.ts';
import { Selectors, type LabelledObjects } from './selectors.ts';

/** Which requests a policy or binding is about. Source: k8s.io/apiserver pkg/admission/plugin/policy/matching. */
export class MatchResources implements Ruled {
  readonly rules: readonly Rule[];
  readonly matchPolicy: MatchPolicy;
  readonly #excluded: readonly Rule[];
  readonly #selectors: Selectors;

  constructor(value: MatchResourcesValue) {
    this.rules = (value.resourceRules ?? []).map((rule) => new Rule(rule, true));
    this.#excluded = (value.excludeResourceRules ?? []).map((rule) => new Rule(rule, true));
    this.matchPolicy = value.matchPolicy === 'Exact' ? 'Exact' : 'Equivalent';
    this.#selectors = new Selectors(value);
  }

  /**
   * The version in which the request is looked at; undefined: it is not.
   *
   * @throws ApiError when the namespace has gone, or a selector cannot be used
   */
  async matched(
    attributes: AdmissionAttributes,
    objects: LabelledObjects,
    namespaces: NamespaceReader,
  ): Promise<ResourceVersion | undefined> {
    const { resource, kind } = attributes;
    if (matchedVersion(this.#excluded, this.matchPolicy, attributes) !== undefined) {
      return undefined;
    }
    const matched =
      this.rules.length === 0
        ? { resource, kind }
        : matchedVersion(this.rules, this.matchPolicy, attributes);
    if (matched === undefined) return undefined;
    return (await this.#selectors.matches(attributes, objects, namespaces)) ? matched : undefined;
  }
}
