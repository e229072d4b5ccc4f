import { ListItemError } from './typed-error.ts';

/** Managed fields cannot be worked out: an object does not fit a schema, or cannot be converted. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/** Turns the error of one list item into one of the managed fields as a whole. */
export function asManagedFieldsError(error: unknown): unknown {
  return error instanceof ListItemError
    ? new ManagedFieldsError(error.message, { cause: error })
    : error;
}
