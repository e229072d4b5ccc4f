import { invalid } from '../api/api-error.ts';
import { fieldError, type FieldError } from '../api/field-error.ts';
import type { ObjectMeta } from '../api/object.ts';
import type { ServedResource } from './served-resource.ts';

/** Labels of one object. */
const MAX_LABELS = 1_000;
/** Annotations of one object; their bytes have a limit besides. */
const MAX_ANNOTATIONS = 5_000;
/** Finalizers of one object, and its owners. */
const MAX_FINALIZERS = 1_000;
const MAX_OWNERS = 1_000;

const BOUNDS = [
  ['labels', MAX_LABELS],
  ['annotations', MAX_ANNOTATIONS],
  ['finalizers', MAX_FINALIZERS],
  ['ownerReferences', MAX_OWNERS],
] as const;

/**
 * Refuses metadata with more entries than any object needs, before anything
 * works on them. What an object has already it may keep.
 *
 * @throws ApiError 422
 */
export function refuseLargeMetadata(
  resource: ServedResource,
  metadata: ObjectMeta,
  old: ObjectMeta | undefined,
): void {
  let errors: FieldError[] | undefined;
  for (const [field, most] of BOUNDS) {
    const count = countOf(metadata[field]);
    if (count <= most || count <= countOf(old?.[field])) continue;
    (errors ??= []).push(fieldError.tooMany(`metadata.${field}`, count, most));
  }
  if (errors !== undefined) throw invalid(resource.kind, metadata.name ?? '', errors);
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}
