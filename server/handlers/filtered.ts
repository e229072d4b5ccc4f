import type { Exchange } from '../../http/exchange.ts';
import type { Selection } from '../../registry/object-selection.ts';
import { selectionOf } from '../../registry/selection.ts';
import { selectorsFrom, selectsAll } from '../../registry/selectors.ts';
import type { Target } from '../../registry/served-resource.ts';
import type { Views } from '../../registry/views.ts';
import { isScale, shown } from './asked-name.ts';

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
  const asked = selectorsFrom(query);
  if (selectsAll(asked) || isScale(exchange)) return undefined;
  return selectionOf(views, shown(exchange, target), asked);
}
