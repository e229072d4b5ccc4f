import type { GroupResource } from '../../api/group-version.ts';
import { neutralGroup } from '../../api/naming.ts';
import type { ValueOf } from '../../schema/shape.ts';
import type { resourceQuotaSchema } from './quota-schema.ts';

export type ResourceQuota = ValueOf<typeof resourceQuotaSchema>;
export type QuotaSpec = ResourceQuota['spec'];
export type ScopeRequirement = NonNullable<
  NonNullable<QuotaSpec['scopeSelector']>['matchExpressions']
>[number];

const COUNT = 'count/';
/** Counted resources of the core group that quotas name without `count/`, too. */
const SHORT_KEYS: ReadonlySet<string> = new Set([
  'configmaps',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/**
 * The resource whose objects a key of a quota counts: `count/RESOURCE.GROUP`,
 * with either name of the group, or a short key of old. Undefined for what is
 * not a number of objects (`requests.cpu`).
 */
export function countedBy(key: string): GroupResource | undefined {
  if (SHORT_KEYS.has(key)) return { group: '', resource: key };
  if (!key.startsWith(COUNT)) return undefined;
  const name = key.slice(COUNT.length);
  const dot = name.indexOf('.');
  if (dot < 0) return { group: '', resource: name };
  return { group: neutralGroup(name.slice(dot + 1)), resource: name.slice(0, dot) };
}

/** Does it count the objects that it names? Scopes are those of workloads, of which there are none. */
export function countsObjects({ spec }: ResourceQuota): boolean {
  const { scopes = [], scopeSelector } = spec;
  return scopes.length === 0 && (scopeSelector?.matchExpressions ?? []).length === 0;
}
