import { eventually, type Plinth, type Reply } from './plinth.ts';

export const CRDS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

/** A schema that keeps whatever is in spec and status. */
export const OPEN_SCHEMA = {
  type: 'object',
  properties: {
    spec: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
    status: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
  },
};

export interface Definition {
  plural: string;
  kind: string;
  group?: string;
  scope?: 'Namespaced' | 'Cluster';
  /** Of the only version, v1. */
  schema?: object;
  /** Further fields of version v1, or other versions. */
  version?: object;
  versions?: object[];
  names?: object;
  /** Further fields of the spec. */
  spec?: object;
}

/** A CustomResourceDefinition, of group `test.example.com` unless said otherwise. */
export function crd(definition: Definition): any {
  const { plural, kind, group = 'test.example.com', scope = 'Namespaced', names } = definition;
  const v1 = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: definition.schema ?? OPEN_SCHEMA },
    ...definition.version,
  };
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind, ...names },
      versions: definition.versions ?? [v1],
      ...definition.spec,
    },
  };
}

/** Creates a definition and waits until its resource is served. */
export async function install(plinth: Plinth, definition: Definition): Promise<string> {
  const body = crd(definition);
  const reply = await plinth.send('POST', CRDS, body);
  if (reply.status !== 201) throw new Error(reply.text);
  const { group, versions, scope } = body.spec;
  const [{ name }] = versions.filter((version: any) => version.served);
  const root = `/apis/${group}/${name}`;
  const served = async (): Promise<boolean> =>
    (await plinth.get(`${root}/${definition.plural}`)).status === 200;
  await eventually(served, `${definition.plural} are served`);
  return `${root}/${scope === 'Cluster' ? '' : 'namespaces/default/'}${definition.plural}`;
}

export function patched(
  plinth: Plinth,
  path: string,
  type: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return plinth.send('PATCH', path, body, { 'content-type': type, ...headers });
}

export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

/** `Accept` for objects as another kind of the meta group. */
export const shownAs = (kind: string): Record<string, string> => ({
  accept: `application/json;as=${kind};v=v1;g=meta.k8s.io`,
});
