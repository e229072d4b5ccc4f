import { objectOf } from '../resources/object-of.ts';
import { resourceQuotaSchema } from '../resources/core/quota-schema.ts';
import { Quantity } from '../api/quantity.ts';
import { countedBy, countsObjects, type ResourceQuota } from '../resources/core/quota.ts';
import type { Entry } from '../watch/entry.ts';
import { prefixEnd } from '../watch/ordered-map.ts';
import type { Replica } from '../watch/replica.ts';
import type { Catalog } from './catalog.ts';
import { RESOURCE_QUOTAS_PREFIX } from './prefixes.ts';

/** One key of a quota that counts objects. */
export interface ObjectLimit {
  /** As the quota spells it: `count/widgets.example.com`. */
  readonly key: string;
  readonly limit: Quantity;
}

const limits = new WeakMap<Entry, readonly ObjectLimit[]>();

/** The readable quotas of a namespace in the replica, in the order of their names. */
export function* quotasOf(replica: Replica, namespace: string): IterableIterator<Entry> {
  const { items } = replica.collection(RESOURCE_QUOTAS_PREFIX);
  if (items.size === 0) return;
  const start = `${namespace}/`;
  for (const entry of items.range(start, prefixEnd(start))) if (!entry.corrupt) yield entry;
}

/** What a quota says of numbers of objects. */
export function objectLimits(entry: Entry): readonly ObjectLimit[] {
  let known = limits.get(entry);
  if (known === undefined) {
    known = limitsOf(objectOf(resourceQuotaSchema, entry.object()));
    limits.set(entry, known);
  }
  return known;
}

function limitsOf(quota: ResourceQuota): ObjectLimit[] {
  if (!countsObjects(quota)) return [];
  return Object.entries(quota.spec.hard ?? {}).flatMap(([key, amount]) => {
    const limit = Quantity.parse(amount);
    if (limit === undefined || countedBy(key) === undefined) return [];
    return [{ key, limit }];
  });
}

/**
 * Where the objects are stored that a key counts. Undefined for what is not
 * served here, or lies in no namespace.
 */
export function countedPrefix(catalog: Catalog, key: string): string | undefined {
  const counted = countedBy(key);
  const resource = counted && catalog.findStored(counted.group, counted.resource);
  return resource?.definition.namespaced === true ? resource.prefix : undefined;
}

/** How many objects of a resource are in a namespace, at the replica's revision. */
export function countObjects(replica: Replica, prefix: string, namespace: string): number {
  const start = `${namespace}/`;
  return replica.collection(prefix).items.count(start, prefixEnd(start));
}
