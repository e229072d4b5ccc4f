import { apiVersionOf } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import type { DiscoveredGroup, DiscoveredVersion } from './groups.ts';
import { apiResourceDiscovery, apiResources } from './resources.ts';

/*
 * The documents of discovery. Field order and what is left out when empty are
 * those that clients of this API have always seen. Sources: behaviours 1.1 to 1.4.
 */

/** `/api` */
export function apiVersions(serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis` */
export function apiGroupList(groups: readonly DiscoveredGroup[]): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.filter(({ name }) => name !== '').map(describeGroup),
  };
}

/** `/apis/<group>` */
export function apiGroup(group: DiscoveredGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) };
}

function describeGroup({ name, versions }: DiscoveredGroup): JsonObject {
  const described = versions.map(({ version }): JsonObject => ({
    groupVersion: apiVersionOf({ group: name, version }),
    version,
  }));
  return { name, versions: described, preferredVersion: described[0] ?? null };
}

/** `/api/v1`, which has never had an apiVersion, and `/apis/<group>/<version>` */
export function apiResourceList(group: string, version: DiscoveredVersion): JsonObject {
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version: version.version }),
    resources: version.resources.flatMap(apiResources),
  };
}

/** `/api` and `/apis` for clients that want everything at once; `apiVersion` as they asked for it. */
export function apiGroupDiscoveryList(
  apiVersion: string,
  groups: readonly DiscoveredGroup[],
): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(versionDiscovery),
    })),
  };
}

function versionDiscovery({ version, resources, remote }: DiscoveredVersion): JsonObject {
  const described = remote?.resources ?? resources.map(apiResourceDiscovery);
  // A version that was registered by hand and that nothing serves is known, but cannot be asked.
  const freshness = remote?.freshness ?? (resources.length === 0 ? 'Stale' : 'Current');
  return {
    version,
    ...(described.length === 0 ? {} : { resources: [...described] }),
    freshness,
  };
}
