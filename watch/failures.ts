import { apiError, ApiError } from '../api/api-error.ts';
import type { Revision } from '../api/revision.ts';
import { translateStoreError } from '../storage/translate-error.ts';

/** What a stream that stands at a revision tells its client when it cannot go on. */
export function failureOf(error: unknown, revision: Revision, present: Revision): ApiError {
  const tooOld = `too old resource version: ${revision} (${present})`;
  const translated = translateStoreError(error, tooOld);
  if (translated instanceof ApiError) return translated;
  return apiError(500, 'InternalError', 'Internal error occurred: the watch failed', {}, error);
}
