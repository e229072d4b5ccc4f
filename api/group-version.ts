/** An API group and a version of it. The core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `v1` for the core group, `<group>/<version>` otherwise: the `apiVersion` of objects. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Undefined when the text has more than one slash or no version. */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split('/');
  if (parts.length === 1 && parts[0] !== '') return { group: '', version: parts[0] as string };
  if (parts.length === 2 && parts[1] !== '')
    return { group: parts[0] as string, version: parts[1] as string };
  return undefined;
}

/** `leases.coordination.cluster.io`, or `nodes` for the core group: how messages name a resource. */
export function groupResourceName({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Lease.coordination.cluster.io`, or `Node` for the core group. */
export function groupKindName({ group, kind }: { group: string; kind: string }): string {
  return group === '' ? kind : `${kind}.${group}`;
}

const KUBE_VERSION = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;

/**
 * Orders version names, most preferred first: GA before beta before alpha,
 * higher numbers first, then every other name alphabetically
 * (v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10).
 * Source: specification 1, section 2.1, versionPriority.
 */
export function compareVersionNames(a: string, b: string): number {
  const left = KUBE_VERSION.exec(a);
  const right = KUBE_VERSION.exec(b);
  if (left === null && right === null) return a < b ? -1 : a > b ? 1 : 0;
  if (left === null) return 1;
  if (right === null) return -1;
  const stability = stabilityRank(right[2]) - stabilityRank(left[2]);
  if (stability !== 0) return stability;
  const major = compareNumbers(right[1], left[1]);
  return major !== 0 ? major : compareNumbers(right[3], left[3]);
}

function stabilityRank(word: string | undefined): number {
  return word === undefined ? 2 : word === 'beta' ? 1 : 0;
}

function compareNumbers(a: string | undefined, b: string | undefined): number {
  const difference = BigInt(a ?? '0') - BigInt(b ?? '0');
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
