import type { JsonValue } from '../../api/json.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { answer, textOf } from './answer.ts';
import { negotiateValue } from './negotiate.ts';

/**
 * A document that is no object of a resource (a review, a Scale) in the format
 * that the client accepts.
 *
 * @throws ApiError 406
 */
export function respondValue(exchange: Exchange, value: JsonValue, status: number): ApiResponse {
  const representation = negotiateValue(exchange.request);
  return answer(exchange, status, representation, textOf(value, representation));
}
