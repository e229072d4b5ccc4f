import { apiError, ApiError, expired } from '../api/api-error.ts';
import type { Revision } from '../api/revision.ts';
import { isStoreError } from '../storage/errors.ts';

/** What a stream that stands at a revision tells its client when it cannot go on. */
export function failureOf(error: unknown, revision: Revision, present: Revision): ApiError {
  if (isStoreError(error, 'compacted')) {
    return expired(`too old resource version: ${revision} (${present})`);
  }
  if (error instanceof ApiError) return error;
  return apiError(500, 'InternalError', 'Internal error occurred: the watch failed', {}, error);
}
