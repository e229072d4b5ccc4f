import { type ApiError, apiError } from '../api/api-error.ts';
import type { DefaultsTooLarge } from '../schema/default-budget.ts';

/** The stored value of an object cannot be read: 500 that names it (behaviours 10.8). */
export function storageReadError(key: string): ApiError {
  return apiError(
    500,
    'StorageReadError',
    `Internal error occurred: the stored object ${JSON.stringify(key)} cannot be read`,
    {
      causes: [{ reason: 'StorageReadError', message: 'the stored value is damaged', field: key }],
    },
  );
}

/** The defaults of the definition would add too much to a stored object: 500 that names both. */
export function defaultsReadError(key: string, { path, message }: DefaultsTooLarge): ApiError {
  return apiError(
    500,
    'StorageReadError',
    `Internal error occurred: the stored object ${JSON.stringify(key)} cannot be shown with the defaults of its definition: ${path}: ${message}; lists show it without them, and its metadata can be changed`,
    { causes: [{ reason: 'FieldValueForbidden', message, field: path }] },
  );
}
