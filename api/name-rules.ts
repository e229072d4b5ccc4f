import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  pathSegmentNameErrors,
  pathSegmentPrefixErrors,
} from './names.ts';

/**
 * How a kind wants its objects named. `isPrefix` says that random characters
 * will follow, as after a generateName.
 */
export type NameRule = (name: string, isPrefix: boolean) => string[];

/** A rule for whole names, made one for prefixes too: these may end in a dash. */
function nameRule(check: (name: string) => string[]): NameRule {
  return (name, isPrefix) => check(isPrefix ? withoutTrailingDash(name) : name);
}

/** The rule of most kinds. */
export const nameIsDnsSubdomain = nameRule(dns1123SubdomainErrors);
/** The rule of namespaces. */
export const nameIsDnsLabel = nameRule(dns1123LabelErrors);
export const nameIsDns1035Label = nameRule(dns1035LabelErrors);
/** The rule of roles and bindings: anything that can stand in a path. */
export const nameIsPathSegment: NameRule = (name, isPrefix) =>
  isPrefix ? pathSegmentPrefixErrors(name) : pathSegmentNameErrors(name);

// Kube replaces the last two characters by one letter; what that lets through
// fails as a name once the random part is appended. Source: maskTrailingDash.
function withoutTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
