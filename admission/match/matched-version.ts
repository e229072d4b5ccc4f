import { aliasGroup } from '../../api/naming.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { ResourceVersion } from '../kind-access.ts';
import { placeOf, type RequestPlace, type Rule } from './rule.ts';

export type MatchPolicy = 'Exact' | 'Equivalent';

/**
 * In which version of its resource rules match a request; undefined: in none.
 * That of the request comes first; with Equivalent the others follow, earlier
 * rules before later ones. The answer names the group as the rule does. Source:
 * specification 3, section 2.3, matchPolicy; behaviours 8.7.
 */
export function matchedVersion(
  rules: readonly Rule[],
  policy: MatchPolicy,
  attributes: AdmissionAttributes,
): ResourceVersion | undefined {
  const place = placeOf(attributes);
  const { resource, kind, name } = attributes;
  const isMatch = (rule: Rule, version: ResourceVersion): boolean =>
    rule.matches(place, version.resource) && rule.matchesName(name);
  const own = { resource, kind };
  const match = rules.find((rule) => isMatch(rule, own));
  if (match !== undefined) return inNameOf(match, own);
  if (policy === 'Exact') return undefined;
  const { equivalents } = attributes.access;
  for (const rule of rules) {
    const found = equivalents.find((version) => isMatch(rule, version));
    if (found !== undefined) return inNameOf(rule, found);
  }
  return undefined;
}

function inNameOf(rule: Rule, version: ResourceVersion): ResourceVersion {
  const { resource, kind } = version;
  if (!rule.namesAlias(resource.group)) return version;
  return {
    resource: { ...resource, group: aliasGroup(resource.group) },
    kind: { ...kind, group: aliasGroup(kind.group) },
  };
}

/** Whether the rules might match a request to this place, whatever the object is called. */
export function mayMatch(
  rules: readonly Rule[],
  policy: MatchPolicy,
  place: RequestPlace,
  equivalents: readonly ResourceVersion[],
): boolean {
  const resources = [
    place.resource,
    ...(policy === 'Exact' ? [] : equivalents.map((version) => version.resource)),
  ];
  return rules.some((rule) => resources.some((resource) => rule.matches(place, resource)));
}
