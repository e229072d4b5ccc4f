import { parseStoredJson } from '../../api/json-parse.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { answer, line, textOf } from './answer.ts';
import { negotiateObjects } from './negotiate.ts';

/**
 * One object in the form that the client accepts. `bytes` are its finished
 * JSON; they are not changed.
 *
 * @throws ApiError 406, 400 for a table that cannot be made as asked
 */
export function respondObject(
  exchange: Exchange,
  _resource: ServedResource,
  bytes: Buffer,
  status: number,
): ApiResponse {
  const representation = negotiateObjects(exchange.request);
  const body =
    representation.format === 'json' && !representation.pretty
      ? line(bytes)
      : textOf(parseStoredJson(bytes), representation);
  return answer(exchange, status, representation, body);
}
