import type { GroupResource } from '../api/group-version.ts';

/*
 * Keys of the registry, relative to the store's prefix:
 * `<group>/<resource>/[<namespace>/]<name>`, core resources without a group.
 * Every part is validated as a path segment before it gets here; a key is
 * built, never parsed from a client's text.
 */

/** Prefix of all keys of a resource, with the final slash: `coordination.cluster.io/leases/`. */
export function resourcePrefix({ group, resource }: GroupResource): string {
  return group === '' ? `${resource}/` : `${group}/${resource}/`;
}

/** The part of a key behind the resource's prefix: `default/a`, or `a` for cluster scope. */
export function relativeKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
