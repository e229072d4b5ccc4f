import { ApiError } from '../../api/api-error.ts';
import { translateStoreError } from '../../storage/translate-error.ts';
import { ClientGone } from '../../http/client-gone.ts';
import { EMPTY_BODY, type ApiResponse } from '../../http/message.ts';
import { attempted, type Exchange, type Stage } from '../../http/exchange.ts';

/** For the log and the metrics only (as other servers have it). */
const CLIENT_GONE = 499;

/**
 * The one place where a failure becomes an answer: a Status in the form that
 * the client accepts. What is not an ApiError is a defect of ours: the client
 * learns nothing of it, the request's line in the log everything.
 */
export function failuresStage(
  respondWithStatus: (exchange: Exchange, error: ApiError) => ApiResponse,
): Stage {
  return {
    name: 'failures',
    handle(exchange, next) {
      const failed = (thrown: unknown): ApiResponse => {
        if (exchange.request.cancellation.reason instanceof ClientGone) {
          // The client has gone, which caused the error; the answer is not sent.
          return { status: CLIENT_GONE, headers: {}, body: EMPTY_BODY };
        }
        const error = ApiError.from(translateStoreError(thrown));
        if (error.code >= 500) exchange.failure = error.cause;
        return respondWithStatus(exchange, error);
      };
      return attempted(next, exchange, failed);
    },
  };
}
