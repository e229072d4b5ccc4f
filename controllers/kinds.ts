import { CERTIFICATES_GROUP } from '../api/naming.ts';
import type { GroupResource } from '../api/group-version.ts';
import { storedResource, type Catalog } from '../registry/catalog.ts';
import { resourcePrefix } from '../storage/keys.ts';
import type { ServedResource } from '../registry/served-resource.ts';

/**
 * Resources by their part of the store's keys, in the version that is stored,
 * served or not: loops work on everything that there is, not on what clients see.
 */
export class Kinds {
  readonly #catalog: Catalog;
  #byPrefix = new Map<string, ServedResource>();
  #byKind = new Map<string, ServedResource>();
  #generation = -1;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  byPrefix(prefix: string): ServedResource | undefined {
    this.#refresh();
    return this.#byPrefix.get(prefix);
  }

  /** The resource that a reference means: versions come and go, the kind of an object does not. */
  byKind(group: string, kind: string): ServedResource | undefined {
    this.#refresh();
    return this.#byKind.get(`${group}/${kind}`);
  }

  all(): IterableIterator<ServedResource> {
    this.#refresh();
    return this.#byPrefix.values();
  }

  #refresh(): void {
    if (this.#generation === this.#catalog.generation) return;
    this.#generation = this.#catalog.generation;
    const resources = this.#catalog.definitions().map(storedResource);
    // a second form has the keys of another resource
    const stored = resources.filter(({ definition }) => definition.formOf === undefined);
    this.#byPrefix = new Map(stored.map((resource) => [resource.prefix, resource]));
    // An owner of a group that is a view alone may live on another server: it is not missed.
    const owners = resources.filter(({ definition: { group, givesWay } }) => {
      return givesWay !== true || group === '';
    });
    this.#byKind = new Map(
      owners.map((resource) => [`${resource.kind.group}/${resource.kind.kind}`, resource]),
    );
  }
}

/** `leases.coordination.cluster.io`; a core resource keeps its dot: `nodes.`, as condition messages have it. */
export function dottedName({ group, resource }: GroupResource): string {
  return `${resource}.${group}`;
}

/** Store prefixes that loops look at by name; see also storage/keys.ts. */
export const API_SERVICES_PREFIX = resourcePrefix({
  group: 'apiregistration.cluster.io',
  resource: 'apiservices',
});
export const CERTIFICATE_REQUESTS_PREFIX = resourcePrefix({
  group: CERTIFICATES_GROUP,
  resource: 'certificatesigningrequests',
});
export const LEASES_PREFIX = resourcePrefix({
  group: 'coordination.cluster.io',
  resource: 'leases',
});
export const LEASE_CANDIDATES_PREFIX = resourcePrefix({
  group: 'coordination.cluster.io',
  resource: 'leasecandidates',
});
export const SERVICE_CIDRS_PREFIX = resourcePrefix({
  group: 'networking.cluster.io',
  resource: 'servicecidrs',
});
export const IP_ADDRESSES_PREFIX = resourcePrefix({
  group: 'networking.cluster.io',
  resource: 'ipaddresses',
});
export const SERVICE_ACCOUNTS_PREFIX = resourcePrefix({ group: '', resource: 'serviceaccounts' });
export const EVENTS_PREFIX = resourcePrefix({ group: 'events.cluster.io', resource: 'events' });
