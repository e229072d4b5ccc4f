import { aliasGroup } from '../api/naming.ts';
import { hasName, underAlias } from '../registry/alias.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { DiscoveredGroup } from './groups.ts';

/**
 * The groups of this server under their aliases, in the same order. Only what is
 * built in has two names; what another server adds to such a group has one.
 */
export function aliasGroups(groups: readonly DiscoveredGroup[]): DiscoveredGroup[] {
  const aliases: DiscoveredGroup[] = [];
  for (const { name, versions } of groups) {
    const alias = aliasGroup(name);
    if (alias === name) continue;
    const own = versions.flatMap((version) => {
      const resources = version.resources.filter((resource) => hasName(resource, true));
      if (resources.length === 0 || version.remote !== undefined) return [];
      return [{ ...version, resources: resources.map(listed) }];
    });
    if (own.length > 0) aliases.push({ name: alias, versions: own });
  }
  return aliases;
}

/** The groups under their neutral names, without what definitions add to their aliases only. */
export function neutralGroups(groups: readonly DiscoveredGroup[]): readonly DiscoveredGroup[] {
  return groups.map((group) => {
    const { name, versions } = group;
    if (versions.every(({ resources }) => resources.every(isNeutral))) return group;
    const own = versions
      .map((version) => ({ ...version, resources: version.resources.filter(isNeutral) }))
      .filter(({ resources, remote }) => resources.length > 0 || remote !== undefined);
    return { name, versions: own };
  });
}

function isNeutral(resource: ServedResource): boolean {
  return hasName(resource, false);
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
    const hasBoth = definition.builtin && definition.aliasOnly !== true;
    const shown = hasBoth ? { ...definition, names } : definition;
    found = { ...underAlias(resource), definition: shown };
    known.set(resource, found);
  }
  return found;
}
