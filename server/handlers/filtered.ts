import type { Exchange } from '../../http/exchange.ts';
import type { Selection } from '../../registry/object-selection.ts';
import { selectionOf } from '../../registry/selection.ts';
import type { Target } from '../../registry/served-resource.ts';
import type { Views } from '../../registry/views.ts';
import { isScale, shown } from './asked-name.ts';

/**
 * What the filter of a get leaves of its object; undefined: there is none.
 *
 * @throws ApiError 400
 */
export function filteredBy(
  exchange: Exchange,
  views: Views,
  target: Target,
): Selection | undefined {
  const filter = exchange.request.query.get('filter') ?? '';
  if (filter === '' || isScale(exchange)) return undefined;
  return selectionOf(views, shown(exchange, target), {
    ...{ labelSelector: '', fieldSelector: '' },
    filter,
  });
}
