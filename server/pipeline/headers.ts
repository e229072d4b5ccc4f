import type { Stage } from './exchange.ts';

/** Headers that answers of the API share: no caching unless a handler says so, and what the request is warned of. */
export const headersStage: Stage = {
  name: 'headers',
  async handle(exchange, next) {
    const response = await next();
    response.headers['cache-control'] ??= 'no-cache, private';
    const warnings = exchange.warnings.headers();
    if (warnings.length > 0) response.headers.warning = warnings;
    return response;
  },
};
