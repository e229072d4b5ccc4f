import { aliasGroup } from '../api/naming.ts';
import { underAlias } from '../registry/alias.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { DiscoveredGroup } from './groups.ts';

/**
 * The groups of this server under their aliases, in the same order. Only what is
 * built in has two names: what a definition or another server adds to such a
 * group has one.
 */
export function aliasGroups(groups: readonly DiscoveredGroup[]): DiscoveredGroup[] {
  const aliases: DiscoveredGroup[] = [];
  for (const { name, versions } of groups) {
    const alias = aliasGroup(name);
    if (alias === name) continue;
    const own = versions.flatMap((version) => {
      const resources = version.resources.filter(({ definition }) => definition.builtin);
      if (resources.length === 0 || version.remote !== undefined) return [];
      return [{ ...version, resources: resources.map(listed) }];
    });
    if (own.length > 0) aliases.push({ name: alias, versions: own });
  }
  return aliases;
}

const known = new WeakMap<ServedResource, ServedResource>();

/**
 * A short name or category means the neutral name: clients that find it twice
 * warn of it, and list everything twice.
 */
function listed(resource: ServedResource): ServedResource {
  let found = known.get(resource);
  if (found === undefined) {
    const { definition } = resource;
    const names = { ...definition.names, shortNames: [], categories: [] };
    found = { ...underAlias(resource), definition: { ...definition, names } };
    known.set(resource, found);
  }
  return found;
}
