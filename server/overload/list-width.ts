import { resourceNamed } from '../../combined/asked.ts';
import { MAX_QUESTIONS } from '../../combined/question.ts';
import { QUERY_SNAPSHOT_PATH } from '../../http/request-info.ts';
import type { Catalog } from '../../registry/catalog.ts';
import type { Query } from '../../api/query.ts';
import type { Replica } from '../../watch/replica.ts';
import type { RequestInfo } from '../../http/request-info.ts';

/** Objects for which a list takes one seat, as in kube-apiserver. */
const OBJECTS_PER_SEAT = 100;
const MAX_WIDTH = 100;
/** Parameters by which every object is looked at. */
const LOOKING: readonly string[] = ['labelSelector', 'fieldSelector', 'filter', 'groupBy'];

/** How many seats a list takes: by the objects that it has to look at. */
export function listWidth(
  info: RequestInfo,
  query: Query,
  catalog: Catalog,
  replica: Replica,
): number {
  if (info.path === QUERY_SNAPSHOT_PATH) return widthFor(snapshotSize(query, catalog, replica));
  const resource = catalog.find(info.group, info.version, info.resource);
  if (resource === undefined) return 1;
  const { items } = replica.collection(resource.prefix);
  const selects = LOOKING.some((name) => query.has(name));
  if (!selects && query.get('count') === 'true') return 1;
  // Selectors and orders look at every object, whatever the limit of the answer is.
  const limit = selects || query.has('orderBy') ? 0 : Number(query.get('limit') ?? 0);
  const objects = limit > 0 ? Math.min(limit, items.size) : items.size;
  return widthFor(objects);
}

function widthFor(objects: number): number {
  return Math.min(MAX_WIDTH, Math.max(1, Math.ceil(objects / OBJECTS_PER_SEAT)));
}

/** Objects that the lists of a snapshot look at. */
function snapshotSize(query: Query, catalog: Catalog, replica: Replica): number {
  let size = 0;
  for (const text of query.getAll('resources').slice(0, MAX_QUESTIONS)) {
    const [name = ''] = text.split(/[/?]/, 1);
    const prefix = resourceNamed(catalog, name, true)?.resource.prefix;
    if (prefix !== undefined) size += replica.collection(prefix).items.size;
  }
  return size;
}
