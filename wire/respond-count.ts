import { countObject, type CountResult } from '../registry/count.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import { answer, textOf } from './answer.ts';
import { negotiateText } from './negotiate.ts';

/** The number of objects in the format that the client accepts, or else in JSON. */
export function respondCount(exchange: Exchange, result: CountResult): ApiResponse {
  const representation = negotiateText(exchange.request);
  return answer(exchange, 200, representation, textOf(countObject(result), representation));
}
