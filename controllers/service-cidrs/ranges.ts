import { getPath } from '../../api/json.ts';
import { IpAddress, IpPrefix } from '../../api/ip.ts';
import { parseTime } from '../../api/time.ts';
import type { Entry } from '../../watch/entry.ts';

/** What has to be known of a ServiceCIDR. */
export interface Ranges {
  readonly entry: Entry;
  readonly cidrs: readonly string[];
  readonly prefixes: readonly IpPrefix[];
  readonly finalizers: readonly string[];
  /** Milliseconds since 1970, like the next. */
  readonly createdAt: number;
  /** Undefined: it is not being deleted. */
  readonly deletedAt: number | undefined;
}

/** Undefined: the object cannot be read. */
export function rangesOf(entry: Entry): Ranges | undefined {
  if (entry.corrupt) return undefined;
  const object = entry.object();
  const { finalizers = [], creationTimestamp, deletionTimestamp } = object.metadata;
  const given = getPath(object, 'spec', 'cidrs');
  const cidrs = Array.isArray(given) ? given.filter((cidr) => typeof cidr === 'string') : [];
  return {
    entry,
    cidrs,
    prefixes: cidrs.map((cidr) => IpPrefix.parse(cidr)).filter((prefix) => prefix !== undefined),
    finalizers,
    createdAt: parseTime(creationTimestamp ?? '') ?? 0,
    deletedAt: deletionTimestamp === undefined ? undefined : (parseTime(deletionTimestamp) ?? 0),
  };
}

/** Addresses that are looked at before others have the event loop. */
const TURN = 2_000;

/**
 * An address that only these ranges cover: without them it would belong to none.
 * Undefined: there is none. An address is an object's name.
 */
export async function addressThatNeeds(
  ranges: Ranges,
  others: readonly Ranges[],
  addresses: Iterable<Entry>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const kept = others.flatMap(({ prefixes }) => prefixes);
  const isCoveredBy = (prefixes: readonly IpPrefix[], address: IpAddress): boolean =>
    prefixes.some((prefix) => prefix.contains(address));
  // a range inside another one is not needed
  const own = ranges.prefixes.filter(
    (prefix) => !kept.some((other) => other.containsPrefix(prefix)),
  );
  if (own.length === 0) return undefined;
  let looked = 0;
  for (const { name } of addresses) {
    const address = IpAddress.parse(name);
    if (address !== undefined && isCoveredBy(own, address) && !isCoveredBy(kept, address)) {
      return name;
    }
    if (++looked % TURN > 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return undefined;
}
