import type { Query } from '../../api/query.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ListOptions } from '../../registry/list-options.ts';
import type { Selection } from '../../registry/object-selection.ts';
import { selectionOf } from '../../registry/selection.ts';
import type { Target } from '../../registry/served-resource.ts';
import type { Views } from '../../registry/views.ts';
import { isScale, shown } from './asked-name.ts';

/** What a get asks of its object. */
type Selectors = Pick<ListOptions, 'labelSelector' | 'fieldSelector' | 'filter'>;

/** The parameters of a request that choose objects; empty where there is none. */
export function askedSelectors(query: Query): Selectors {
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    filter: query.get('filter') ?? '',
  };
}

/**
 * What the selectors and the filter of a get leave of its object; undefined: there are none.
 *
 * @throws ApiError 400
 */
export function filteredBy(
  exchange: Exchange,
  views: Views,
  target: Target,
): Selection | undefined {
  const { query } = exchange.request;
  if (query.size === 0) return undefined;
  const asked = askedSelectors(query);
  const isAsked = asked.labelSelector !== '' || asked.fieldSelector !== '' || asked.filter !== '';
  if (!isAsked || isScale(exchange)) return undefined;
  return selectionOf(views, shown(exchange, target), asked);
}
