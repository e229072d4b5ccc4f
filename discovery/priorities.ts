import { CERTIFICATES_GROUP } from '../api/naming.ts';
import { compareVersionNames } from '../api/group-version.ts';

/**
 * Which groups and versions clients prefer: groups by priority, high to low,
 * then by name; versions of a group by priority, then as version names order.
 * Source: specification 1, section 2.1.
 */
export interface Priority {
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

/** Built-in groups, in the order in which kube-apiserver lists them. */
const GROUP_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ['apiregistration.cluster.io', 20000],
  ['', 18000],
  ['events.cluster.io', 17750],
  ['authentication.cluster.io', 17700],
  ['authorization.cluster.io', 17600],
  ['autoscaling', 17500],
  [CERTIFICATES_GROUP, 17300],
  ['networking.cluster.io', 17200],
  ['rbac.authorization.cluster.io', 17000],
  ['admissionregistration.cluster.io', 16700],
  ['apiextensions.cluster.io', 16700],
  ['coordination.cluster.io', 16500],
  ['node.cluster.io', 16300],
  ['flowcontrol.apiserver.cluster.io', 16100],
  ['internal.apiserver.cluster.io', 16000],
  ['resource.cluster.io', 15900],
]);

/** Built-in versions rank by their names alone, so one number serves all of them. */
const BUILTIN_VERSION_PRIORITY = 15;

/** Groups of custom resources. Source: behaviours 1.7. */
const CUSTOM: Priority = { groupPriorityMinimum: 1000, versionPriority: 100 };

/** The priority of a group without an explicit one. */
export function defaultPriority(group: string): Priority {
  const groupPriorityMinimum = GROUP_PRIORITIES.get(group);
  return groupPriorityMinimum === undefined
    ? CUSTOM
    : { groupPriorityMinimum, versionPriority: BUILTIN_VERSION_PRIORITY };
}

interface RankedVersion extends Priority {
  readonly version: string;
}

/** Versions of one group in the order of preference. */
export function compareVersions(a: RankedVersion, b: RankedVersion): number {
  return b.versionPriority - a.versionPriority || compareVersionNames(a.version, b.version);
}

interface RankedGroup {
  readonly name: string;
  readonly versions: readonly RankedVersion[];
}

/** The version that asks for most raises the whole group. */
export function compareGroups(a: RankedGroup, b: RankedGroup): number {
  return priorityOf(b) - priorityOf(a) || (a.name < b.name ? -1 : 1);
}

function priorityOf(group: RankedGroup): number {
  return group.versions.reduce((max, v) => Math.max(max, v.groupPriorityMinimum), 0);
}
