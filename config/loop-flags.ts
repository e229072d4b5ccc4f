import { InvalidArgumentError } from 'commander';
import { IpPrefix } from '../api/ip.ts';
import type { Flag } from './flag.ts';
import { commaList, secondsBetween } from './parsers.ts';

/** What goes on in the background. */
export interface LoopConfig {
  readonly leaderElectLeaseDuration: number;
  readonly etcdCompactionInterval: number;
  readonly replicaComparisonInterval: number;
  readonly eventTtl: number;
  readonly serviceClusterIpRange: readonly string[];
}

export const LOOP_FLAGS: readonly Flag<LoopConfig>[] = [
  {
    name: 'leaderElectLeaseDuration',
    flags: '--leader-elect-lease-duration <seconds>',
    description:
      'of several servers on one etcd, one runs the background loops; so long after it has died another one takes over',
    default: 5,
    parse: secondsBetween(1, 60),
  },
  {
    name: 'etcdCompactionInterval',
    flags: '--etcd-compaction-interval <seconds>',
    description:
      'how often one of the servers has the store forget history that is older than this; 0 never does. Of the embedded store, too',
    default: 300,
    parse: secondsBetween(0, 30 * 24 * 3600),
  },
  {
    name: 'replicaComparisonInterval',
    flags: '--replica-comparison-interval <seconds>',
    description:
      'how often every server compares what it shows with what the store holds, key by key; when they differ it says so and loads everything anew. 0 never does',
    default: 60,
    parse: secondsBetween(0, 24 * 3600),
  },
  {
    name: 'eventTtl',
    flags: '--event-ttl <seconds>',
    description: 'how long an Event is kept after it was last written',
    default: 3600,
    parse: secondsBetween(1, 30 * 24 * 3600),
  },
  {
    name: 'serviceClusterIpRange',
    flags: '--service-cluster-ip-range <cidrs>',
    description:
      'one range of addresses, or two of different families, for the default ServiceCIDR; empty for none',
    default: ['10.0.0.0/24'],
    parse: serviceRanges,
  },
];

/** @throws InvalidArgumentError */
function serviceRanges(text: string): string[] {
  const list = commaList(text);
  const prefixes = list.map((cidr) => IpPrefix.parse(cidr));
  const isEach = prefixes.every((prefix) => prefix?.isMasked() === true);
  const families = new Set(prefixes.map((prefix) => prefix?.family));
  if (!isEach || families.size !== list.length) {
    throw new InvalidArgumentError(
      'It must be a range such as 10.0.0.0/24, or two of different families.',
    );
  }
  return list;
}
