/** A kind of objects that the server serves in one version. */
export interface Kind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  readonly shortNames: readonly string[];
  readonly subresources: readonly string[];
}

/** What names a kind in addresses: group, version, plural. */
export type KindName = Pick<Kind, 'group' | 'version' | 'plural'>;

/** `configmaps`, `leases.coordination.cluster.io`: how the stream of changes names a resource. */
export function resourceName({ group, version, plural }: KindName): string {
  return group === '' ? plural : `${plural}.${version}.${group}`;
}

/** `leases.coordination.cluster.io`: a kind, whatever its version; the name of its definition, where it has one. */
export function groupResource({ group, plural }: Pick<KindName, 'group' | 'plural'>): string {
  return `${plural}.${group}`;
}

/** `v1`, `coordination.cluster.io/v1`. */
export function apiVersionOf({ group, version }: Pick<KindName, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of a collection, of an object, or of one of its subresources. */
export function pathOf(kind: KindName, namespace = '', name = '', subresource = ''): string {
  const root = kind.group === '' ? '/api' : `/apis/${kind.group}`;
  const parts = [root, kind.version];
  if (namespace !== '') parts.push('namespaces', encodeURIComponent(namespace));
  parts.push(kind.plural);
  if (name !== '') parts.push(encodeURIComponent(name));
  if (subresource !== '') parts.push(subresource);
  return parts.join('/');
}

/**
 * Where lists of kinds show a group: those of definitions, the core, those of the
 * server, and last those of workloads (apps, batch), which mostly are empty.
 */
export function rankOf(group: string): number {
  if (group === '') return 1;
  if (/\.(?:cluster|k8s)\.io$/.test(group)) return 2;
  return group.includes('.') ? 0 : 3;
}

const RESTLESS = new Set(['events', 'leases', 'leasecandidates']);

/** Whether objects of a kind come, change and go all the time by themselves. */
export const isRestless = ({ plural }: Pick<KindName, 'plural'>): boolean => RESTLESS.has(plural);

/** Whether two name the same kind in the same version. */
export function sameKind(a: KindName, b: KindName): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}

/** Whether two name the same kind, whatever their versions. */
export function sameResource(a: KindName, b: KindName): boolean {
  return a.group === b.group && a.plural === b.plural;
}
