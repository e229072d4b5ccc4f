import type { ServedKind } from '../../client/discovery.ts';
import { apiVersionOf, groupResource, type Kind } from './kind.ts';

const ALIAS = '.k8s.io';
const OWN = '.cluster.io';

/**
 * The kinds of a server, each in all versions that are served, the preferred one first.
 * A group that is another name of one that is there as well is left out.
 */
export function kindsOf(served: readonly ServedKind[]): Kind[][] {
  const groups = new Set(served.map(({ group }) => group));
  const kinds = new Map<string, Kind[]>();
  for (const { group, version, resource, verbs, ...rest } of served) {
    if ((isAlias(group) && groups.has(ownGroup(group))) || rest.kind === '') continue;
    const kind = { ...rest, group, version, plural: resource, verbs: new Set(verbs) };
    const key = groupResource(kind);
    kinds.set(key, [...(kinds.get(key) ?? []), kind]);
  }
  return [...kinds.values()];
}

const isAlias = (group: string): boolean => group.endsWith(ALIAS);

/** The name that the server itself has for a group: `coordination.k8s.io` → `coordination.cluster.io`. */
export function ownGroup(group: string): string {
  return isAlias(group) ? group.slice(0, -ALIAS.length) + OWN : group;
}

/** The kind that an object says it is of; undefined: the server does not serve it. */
export function kindOfObject(
  kinds: readonly Kind[],
  apiVersion: string,
  name: string,
): Kind | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const own = ownGroup(group);
  return (
    kinds.find((each) => apiVersionOf(each) === apiVersion && each.kind === name) ??
    kinds.find((each) => (each.group === group || each.group === own) && each.kind === name)
  );
}
