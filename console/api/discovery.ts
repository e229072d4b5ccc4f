import type { ServedKind } from '../../client/discovery.ts';
import { apiVersionOf, type Kind } from './kind.ts';

const ALIAS = '.k8s.io';
const OWN = '.cluster.io';

/**
 * The kinds of a server, each in the version that its group prefers. A group that
 * is another name of one that is there as well is left out.
 */
export function kindsOf(served: readonly ServedKind[]): Kind[] {
  const groups = new Set(served.map(({ group }) => group));
  const kinds = new Map<string, Kind>();
  for (const { group, version, resource, verbs, ...rest } of served) {
    const isAlias = group.endsWith(ALIAS) && groups.has(group.slice(0, -ALIAS.length) + OWN);
    const key = `${resource}.${group}`;
    if (isAlias || kinds.has(key) || rest.kind === '') continue;
    kinds.set(key, { ...rest, group, version, plural: resource, verbs: new Set(verbs) });
  }
  return [...kinds.values()];
}

/** The kind that an object says it is of; undefined: the server does not serve it. */
export function kindOfObject(
  kinds: readonly Kind[],
  apiVersion: string,
  name: string,
): Kind | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const own = group.endsWith(ALIAS) ? group.slice(0, -ALIAS.length) + OWN : group;
  return (
    kinds.find((each) => apiVersionOf(each) === apiVersion && each.kind === name) ??
    kinds.find((each) => (each.group === group || each.group === own) && each.kind === name)
  );
}
