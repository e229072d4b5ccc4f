import { MEMBER, type FieldSet } from './field-set.ts';

/** What a write of the object itself does not take where the status has a path of its own. */
export const STATUS_RESET: FieldSet = { 'f:status': MEMBER };
/** What a write of the status of a custom resource does not take. */
export const CUSTOM_STATUS_SUBRESOURCE_RESET: FieldSet = { 'f:metadata': MEMBER, 'f:spec': MEMBER };

/** The same fields in each of the versions (row 5.15). */
export function resetInVersions(
  apiVersions: Iterable<string>,
  fields: FieldSet,
): ReadonlyMap<string, FieldSet> {
  const reset = new Map<string, FieldSet>();
  for (const apiVersion of apiVersions) reset.set(apiVersion, fields);
  return reset;
}
