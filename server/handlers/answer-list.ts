import { andThen } from '../../api/and-then.ts';
import { count, countOptionsFrom } from '../../registry/count.ts';
import { listOptionsFrom } from '../../registry/list-options.ts';
import type { ListResult } from '../../registry/list-result.ts';
import { list } from '../../registry/list.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { projectionFrom } from '../../registry/projection.ts';
import type { Target } from '../../registry/served-resource.ts';
import type { Answer, Exchange } from '../../http/exchange.ts';
import { checkAcceptable } from '../../wire/negotiate.ts';
import { respondCount } from '../../wire/respond-count.ts';
import { respondList } from '../../wire/respond-list.ts';
import { shown } from './asked-name.ts';

/** Has the answer say that it shows less than there may be. */
export function tellOfPart({ refusal, user, warnings, info }: Exchange): void {
  if (refusal === undefined) return;
  const who = JSON.stringify(user?.name ?? '');
  warnings.add(`this is the part that user ${who} may ${info.verb}; there may be more`);
}

/** The objects of a collection, or their number. @throws ApiError (also as rejection) */
export function answerList(exchange: Exchange, parts: RegistryParts, target: Target): Answer {
  const { query } = exchange.request;
  checkAcceptable(exchange.request, target.resource);
  const options = listOptionsFrom(query, false, exchange.rights);
  tellOfPart(exchange);
  // by the names that the client knows: conditions on values mean what it is shown
  const asked = shown(exchange, target);
  const counting = countOptionsFrom(query);
  if (counting !== undefined) {
    const counted = count(parts, asked, options, counting, exchange);
    return counted.then((result) => respondCount(exchange, result));
  }
  const projection = projectionFrom(query, asked.resource);
  const respond = (result: ListResult): Answer =>
    respondList(exchange, parts, asked, result, projection);
  const result = list(parts, asked, options, exchange);
  return andThen(result, respond);
}
