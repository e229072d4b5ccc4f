import { OTHER } from './family.ts';

/** What a request is counted by, as the pipeline understands it. */
export interface RequestKey {
  /** As in authorization (`get`, `list`, `create`, …), `apply` for server-side apply, or a method. */
  readonly verb: string;
  /** Empty, like version and resource, for other paths than resources. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** For other paths than resources: the path. */
  readonly subresource: string;
  readonly scope: 'resource' | 'namespace' | 'cluster' | '';
}

/** The catalog, as far as labels ask it. */
export interface ServedNames {
  /** Changes with every change of what is served. */
  readonly generation: number;
  find(group: string, version: string, plural: string): unknown;
}

/** Dashboards and alert rules know requests by these words. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['head', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['post', 'POST'],
  ['update', 'PUT'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['apply', 'APPLY'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETE'],
]);

const SUBRESOURCES: ReadonlySet<string> = new Set(['', 'status', 'scale', 'approval', 'finalize']);

/** First segments of the paths outside of resources. */
const PATHS: ReadonlySet<string> = new Set([
  '/api',
  '/apis',
  '/console',
  '/healthz',
  '/livez',
  '/metrics',
  '/openapi',
  '/readyz',
  '/version',
]);

export interface RequestLabels {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
  /** False when something of it was replaced by {@link OTHER}. */
  readonly known: boolean;
}

/** Labels from a closed set, whatever a request says. */
export function requestLabels(key: RequestKey, served: ServedNames): RequestLabels {
  const verb = VERBS.get(key.verb) ?? OTHER;
  const { group, version, resource, subresource, scope } = key;
  if (resource === '') {
    const path = firstSegment(subresource);
    const known = PATHS.has(path) || path === '';
    const label = known ? path : OTHER;
    // Any path below a known one counts as that one, and there are any number of them.
    return {
      verb,
      group: '',
      version: '',
      resource: '',
      subresource: label,
      scope: '',
      known: known && path === subresource && verb !== OTHER,
    };
  }
  const known = served.find(group, version, resource) !== undefined;
  if (!known || !SUBRESOURCES.has(subresource)) return { ...othersOf(scope), verb };
  return { verb, group, version, resource, subresource, scope, known: verb !== OTHER };
}

const COMPONENT = 'apiserver';

/** The values in the order of most metrics, without the verb: group to scope, and the component. */
export function labelValues(labels: RequestLabels): string[] {
  const { group, version, resource, subresource, scope } = labels;
  return [group, version, resource, subresource, scope, COMPONENT];
}

/** The labels of a resource that is not shown by its name. */
export function othersOf(scope: string): Omit<RequestLabels, 'verb'> {
  return {
    group: OTHER,
    version: OTHER,
    resource: OTHER,
    subresource: OTHER,
    scope,
    known: false,
  };
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end);
}
