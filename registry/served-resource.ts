import {
  apiVersionOf,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
} from '../api/group-version.ts';
import type { ResourceDefinition, VersionDefinition } from '../resources/definition.ts';
import { resourcePrefix } from '../storage/keys.ts';

/** A resource in one of its served versions: what a path of the API names. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly apiVersion: string;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly groupResource: GroupResource;
  /** The resource's part of every store key; a second form has that of the resource that is stored. */
  readonly prefix: string;
}

/** Objects that a definition has left are not those of the empty kind that it gave back. */
const NEVER_A_GROUP = '-';

/** A version of a kind with what requests need to know of it. */
export function servedResource(
  definition: ResourceDefinition,
  version: VersionDefinition,
): ServedResource {
  const { group, names, formOf, custom, givesWay } = definition;
  const groupResource = { group, resource: names.plural };
  // by the name that its definition says: the same whether built-in groups are allowed or not
  const keptUnder = custom?.group ?? (givesWay === true ? `${NEVER_A_GROUP}${group}` : group);
  const stored = { group: keptUnder, resource: names.plural };
  return {
    definition,
    version,
    apiVersion: apiVersionOf({ group, version: version.name }),
    resource: { group, version: version.name, resource: names.plural },
    kind: { group, version: version.name, kind: names.kind },
    groupResource,
    prefix: resourcePrefix(formOf?.resource ?? stored),
  };
}

/** The version that an object's apiVersion means; undefined: the definition has no such version. */
export function versionOf(
  { group, versions }: ResourceDefinition,
  apiVersion: unknown,
): VersionDefinition | undefined {
  return versions.find(({ name }) => apiVersionOf({ group, version: name }) === apiVersion);
}

/** One object (or, without a name, a collection) that a request is about. */
export interface Target {
  readonly resource: ServedResource;
  /** Empty for cluster scope and for lists over all namespaces. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}
