import type { Logger } from 'pino';
import { ApiError } from '../../api/api-error.ts';
import { translateStoreError } from '../../registry/store-errors.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange, Stage } from './exchange.ts';

/**
 * The one place where a failure becomes an answer: a Status in the form that
 * the client accepts. What is not an ApiError is a defect of ours: the client
 * learns nothing of it, the log everything.
 */
export function failuresStage(
  log: Logger,
  respondWithStatus: (exchange: Exchange, error: ApiError) => ApiResponse,
): Stage {
  return {
    name: 'failures',
    async handle(exchange, next) {
      try {
        return await next();
      } catch (thrown) {
        const error = ApiError.from(translateStoreError(thrown));
        if (error.code >= 500 && error.cause !== undefined) {
          log.error(
            { err: error.cause, auditId: exchange.auditId, path: exchange.info.path },
            'request failed',
          );
        }
        return respondWithStatus(exchange, error);
      }
    },
  };
}
