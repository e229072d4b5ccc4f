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
      'lease duration of the leader among several servers on one etcd; the leader runs the background loops, and another server takes over this long after the leader dies',
    default: 5,
    parse: secondsBetween(1, 60),
  },
  {
    name: 'etcdCompactionInterval',
    flags: '--etcd-compaction-interval <seconds>',
    description:
      'how often the leader compacts the history of etcd or of the embedded store that is older than this; 0: never',
    default: 300,
    parse: secondsBetween(0, 30 * 24 * 3600),
  },
  {
    name: 'replicaComparisonInterval',
    flags: '--replica-comparison-interval <seconds>',
    description:
      'how often every server compares its replica with the store, 2,000 keys a second; on a difference it logs an error and reloads the replica. 0: never',
    default: 60,
    parse: secondsBetween(0, 24 * 3600),
  },
  {
    name: 'eventTtl',
    flags: '--event-ttl <seconds>',
    description: 'how long an Event is kept after its last write',
    default: 3600,
    parse: secondsBetween(1, 30 * 24 * 3600),
  },
  {
    name: 'serviceClusterIpRange',
    flags: '--service-cluster-ip-range <cidrs>',
    description:
      'CIDR of the default ServiceCIDR, or two comma-separated CIDRs of different IP families; empty: none',
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
