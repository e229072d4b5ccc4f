import {
  type ApiError,
  apiError,
  expired,
  internalError,
  serviceUnavailable,
  timeout,
  tooLarge,
} from '../api/api-error.ts';
import { StoreError } from './errors.ts';

/** Clients are told to come back after so long when the store is away. */
const RETRY_SECONDS = 1;
/** The cause by which clients know that they are ahead of this server (behaviours 4.9). */
const TOO_LARGE_REVISION = 'ResourceVersionTooLarge';

/**
 * What a failure of the store means for a client. The registry throws StoreErrors
 * as they are; they become answers at the edge, where a thrown error ends a
 * request or a stream, which tells in words of its own that its revision is
 * `tooOld`. Everything else passes through unchanged.
 */
export function translateStoreError(
  error: unknown,
  tooOld = 'The resourceVersion for the provided list is too old.',
): unknown {
  if (!(error instanceof StoreError)) return error;
  switch (error.code) {
    case 'compacted':
      return expired(tooOld);
    case 'futureRevision':
      return tooLargeRevision(error);
    case 'tooLarge':
      return tooLarge(
        'Request entity too large: the object is larger than the store accepts',
        error,
      );
    case 'outOfSpace':
      return apiError(
        507,
        'InternalError',
        'the store is out of space: reads and deletes go on, other writes do not',
        { retryAfterSeconds: 60 },
        error,
      );
    case 'timeout':
      return timeout('the store did not answer in time', RETRY_SECONDS);
    case 'cancelled':
      return timeout('request did not complete within the allotted timeout');
    case 'unavailable':
    case 'reset':
      return serviceUnavailable('the store is not available', error);
    case 'denied':
    case 'corrupt':
      return internalError('the store refused the operation', error);
  }
}

/** 504. This server has not failed, so there is no error to log. */
function tooLargeRevision(error: StoreError): ApiError {
  return apiError(504, 'Timeout', `Timeout: ${error.message}`, {
    causes: [{ reason: TOO_LARGE_REVISION, message: 'Too large resource version' }],
    retryAfterSeconds: RETRY_SECONDS,
  });
}
