import type { Query } from '../api/query.ts';
import { nextTurn } from '../api/turn.ts';
import { isKeptFilter } from '../query/filter.ts';
import type { ServedResource } from './served-resource.ts';

/**
 * A turn of the event loop for the filter of a query, which takes up to ten milliseconds
 * to compile. Many such requests may come together. Undefined: none is needed.
 */
export function turnToCompile(resource: ServedResource, query: Query): Promise<void> | undefined {
  const filter = query.size === 0 ? null : query.get('filter');
  if (filter === null || isKeptFilter(filter, resource.version.schema())) return undefined;
  return nextTurn();
}
