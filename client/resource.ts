/** A collection of objects: what a path names. */
export interface ResourceRef {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural: `configmaps`. */
  readonly resource: string;
  /** Absent or empty: all namespaces, or a resource without namespaces. */
  readonly namespace?: string | undefined;
}

/** `/api/v1/namespaces/default/configmaps/colours/status`; every part is percent-encoded. */
export function pathOf(ref: ResourceRef, name = '', subresource = ''): string {
  const { group, version, resource, namespace = '' } = ref;
  const parts = [
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespace === '' ? [] : ['namespaces', namespace]),
    ...[resource, name, subresource].filter((part) => part !== ''),
  ];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** `configmaps.v1`, `leases.v1.coordination.cluster.io`: as combined queries name a resource. */
export function resourceNameOf({ group, version, resource }: ResourceRef): string {
  return [resource, version, group].filter((part) => part !== '').join('.');
}

/** Values of a query; undefined ones are left out. */
export type QueryValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** `?a=1&b=2`, or nothing. */
export function queryText(values: QueryValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (typeof value !== 'object') query.set(name, String(value));
    else for (const each of value) query.append(name, each);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
