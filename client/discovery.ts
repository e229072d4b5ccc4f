import type { ApiClient } from './client.ts';
import type { Json } from './objects.ts';

/** A kind that the server serves, in one of its versions. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  /** Plural. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  /** The version that the group prefers. */
  readonly isPreferred: boolean;
}

interface Aggregated {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly singularResource?: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope?: string;
        readonly verbs?: readonly string[];
        readonly shortNames?: readonly string[];
        readonly categories?: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

const AGGREGATED = 'application/json;v=v2;g=apidiscovery.cluster.io;as=APIGroupDiscoveryList';

/** All kinds that are served, each in each version; in the order of the server. */
export async function discover(client: ApiClient, signal?: AbortSignal): Promise<ServedKind[]> {
  const documents = await Promise.all(
    ['/api', '/apis'].map((path) =>
      client.transport.json<Aggregated>('GET', path, { accept: AGGREGATED, signal }),
    ),
  );
  return documents.flatMap(kindsOf);
}

function kindsOf({ items = [] }: Aggregated): ServedKind[] {
  return items.flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, resources = [] }, i) =>
      resources.map((resource) => ({
        group: metadata?.name ?? '',
        version,
        resource: resource.resource,
        singular: resource.singularResource ?? '',
        kind: resource.responseKind?.kind ?? '',
        namespaced: resource.scope === 'Namespaced',
        verbs: resource.verbs ?? [],
        shortNames: resource.shortNames ?? [],
        categories: resource.categories ?? [],
        subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
        isPreferred: i === 0,
      })),
    ),
  );
}

/** The OpenAPI document of one group and version. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths?: Readonly<Record<string, Json>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Json>> };
}

/** Where each document is: `apis/apps/v1` → a path that changes with the document. */
export async function openApiPaths(
  client: ApiClient,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const index = await client.transport.json<{
    readonly paths?: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  }>('GET', '/openapi/v3', { signal });
  return new Map(
    Object.entries(index.paths ?? {}).map(([name, { serverRelativeURL }]) => [
      name,
      serverRelativeURL,
    ]),
  );
}

/** `path`: a value of {@link openApiPaths}. */
export function openApiDocument(
  client: ApiClient,
  path: string,
  signal?: AbortSignal,
): Promise<OpenApiDocument> {
  return client.transport.json('GET', path, { signal, immutable: path.includes('hash=') });
}
