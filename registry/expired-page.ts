import { apiError } from '../api/api-error.ts';
import { isStoreError } from '../storage/errors.ts';
import type { KeyRange } from '../watch/snapshot.ts';
import { encodeContinueToken } from './continue-token.ts';
import { namespaceRange } from './key-ranges.ts';
import type { Target } from './served-resource.ts';

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. ' +
  'You can start a new list without the continue parameter, or use the continue token in this ' +
  'response to retrieve the remainder of the results. Continuing with the provided token results ' +
  'in an inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.';

/** An expired page comes with a token that goes on at the present revision (behaviours 4.3). */
export function expired(error: unknown, { namespace }: Target, range: KeyRange): unknown {
  if (!isStoreError(error, 'compacted')) return error;
  const base = namespaceRange(namespace).start;
  const status = apiError(410, 'Expired', CONTINUE_EXPIRED);
  const after = range.start.slice(0, -1);
  status.status.metadata.continue = encodeContinueToken(base, { after, revision: undefined });
  return status;
}
