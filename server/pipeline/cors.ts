import type { Regex } from '../../cel/value/pattern.ts';
import { EMPTY_BODY } from '../../http/message.ts';
import { andThen } from '../../api/and-then.ts';
import type { Stage } from '../../http/exchange.ts';

const PERMISSIONS = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
} as const;

/**
 * Lets pages of other origins use the API: their browsers ask first, without
 * credentials, and are answered before authentication. Other origins get no
 * such headers, so that their browsers keep the answers from them.
 * Stands before the place where errors become answers: pages may see those, too.
 *
 * Source: apiserver pkg/server/filters/cors.go; behaviours 11.8.
 */
export function corsStage(allowed: readonly Regex[]): Stage {
  return {
    name: 'cors',
    handle: (exchange, next) => {
      const { origin } = exchange.request.headers;
      if (!isAllowed(origin, allowed)) return next(exchange);
      const headers = { 'access-control-allow-origin': origin, ...PERMISSIONS };
      if (exchange.request.method === 'OPTIONS') {
        return { status: 204, headers, body: EMPTY_BODY };
      }
      return andThen(next(exchange), (response) => {
        Object.assign(response.headers, headers);
        return response;
      });
    },
  };
}

function isAllowed(origin: string | undefined, allowed: readonly Regex[]): origin is string {
  return origin !== undefined && allowed.some(({ compiled }) => compiled.test(origin));
}
