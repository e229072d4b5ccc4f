import type { GroupResource } from '../api/group-version.ts';

/*
 * Keys of the registry, relative to the store's prefix:
 * `<group>/<resource>/[<namespace>/]<name>`, core resources without a group, and
 * a dot before a group that has none (`.apps/deployments/default/a`).
 * Every part is validated as a path segment before it gets here; a key is
 * built, never parsed from a client's text. Only this file builds and takes apart
 * the resource's part of a key.
 */

/** Prefix of all keys of a resource, with the final slash: `coordination.cluster.io/leases/`. */
export function resourcePrefix({ group, resource }: GroupResource): string {
  if (group === '') return `${resource}/`;
  return group.includes('.') ? `${group}/${resource}/` : `.${group}/${resource}/`;
}

/** The part of a key behind the resource's prefix: `default/a`, or `a` for cluster scope. */
export function relativeKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/**
 * The resource's prefix at the beginning of a key or of a prefix. Every group in
 * a key contains a dot and no core resource does, so the first segment
 * tells which it is. Undefined for keys that belong to no resource (the
 * compactor's).
 */
export function resourcePrefixOf(key: string): string | undefined {
  const first = key.indexOf('/');
  if (first <= 0) return undefined;
  const end = key.slice(0, first).includes('.') ? key.indexOf('/', first + 1) : first;
  return end < 0 ? undefined : key.slice(0, end + 1);
}

/** Splits a key into the resource's prefix and the rest; undefined for keys that belong to no resource. */
export function splitKey(key: string): { prefix: string; rest: string } | undefined {
  const prefix = resourcePrefixOf(key);
  if (prefix === undefined || prefix.length === key.length) return undefined;
  return { prefix, rest: key.slice(prefix.length) };
}

/** The other direction of {@link resourcePrefix}. */
export function resourceOfPrefix(prefix: string): GroupResource {
  const [first = '', second = ''] = prefix.split('/');
  if (second === '') return { group: '', resource: first };
  return { group: /^\.[^.]+$/.test(first) ? first.slice(1) : first, resource: second };
}
