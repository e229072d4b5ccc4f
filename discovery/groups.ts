import type { ServedResource } from '../registry/served-resource.ts';
import { compareGroups, compareVersions, defaultPriority, type Priority } from './priorities.ts';
import type { Registration, RemoteVersion } from './registrations.ts';

/** A group as clients see it; the core group has no name. */
export interface DiscoveredGroup {
  readonly name: string;
  /** The preferred one first; never empty. */
  readonly versions: readonly DiscoveredVersion[];
}

export interface DiscoveredVersion extends Priority {
  readonly version: string;
  /** Sorted by name. */
  readonly resources: readonly ServedResource[];
  readonly remote: RemoteVersion | undefined;
}

/** All groups in the order of preference: groups served here, then groups registered by APIServices. */
export function discoverGroups(
  served: Iterable<ServedResource>,
  registrations: readonly Registration[],
): DiscoveredGroup[] {
  const groups = new Map<string, Map<string, GrowingVersion>>();
  for (const resource of served) {
    const { group, version } = resource.resource;
    versionOf(groups, group, version).resources.push(resource);
  }
  for (const registration of registrations) {
    const entry = versionOf(groups, registration.group, registration.version);
    entry.groupPriorityMinimum = registration.groupPriorityMinimum;
    entry.versionPriority = registration.versionPriority;
    entry.remote = registration.remote;
  }
  const discovered = [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions.values()].sort(compareVersions),
  }));
  for (const { versions } of discovered) {
    for (const { resources } of versions) resources.sort(byName);
  }
  return discovered.sort(compareGroups);
}

interface GrowingVersion extends DiscoveredVersion {
  groupPriorityMinimum: number;
  versionPriority: number;
  readonly resources: ServedResource[];
  remote: RemoteVersion | undefined;
}

function versionOf(
  groups: Map<string, Map<string, GrowingVersion>>,
  group: string,
  version: string,
): GrowingVersion {
  let versions = groups.get(group);
  if (versions === undefined) groups.set(group, (versions = new Map<string, GrowingVersion>()));
  let entry = versions.get(version);
  if (entry === undefined) {
    entry = { ...defaultPriority(group), version, resources: [], remote: undefined };
    versions.set(version, entry);
  }
  return entry;
}

function byName(a: ServedResource, b: ServedResource): number {
  return a.resource.resource < b.resource.resource ? -1 : 1;
}
