import { badRequest, conflict, invalid, OBJECT_MODIFIED } from '../api/api-error.ts';
import { fieldError } from '../api/field-error.ts';
import type { ObjectMeta } from '../api/object.ts';
import { NO_REVISION, parseRevision } from '../api/revision.ts';
import type { Entry } from '../watch/entry.ts';
import { invalidVersion } from './list-options.ts';
import type { WriteRequest } from './write-request.ts';

/**
 * What is put in the place of an object must be meant for it.
 *
 * @throws ApiError 409
 */
export function checkUid(request: WriteRequest, metadata: ObjectMeta, old: ObjectMeta): void {
  if ((metadata.uid ?? '') !== '' && metadata.uid !== old.uid) {
    throw uidMismatch(request, metadata.uid ?? '', old.uid ?? '');
  }
}

/**
 * And it must be made of its present version.
 *
 * @throws ApiError 409, or 422 where a version is needed and there is none
 */
export function checkVersion(
  request: WriteRequest,
  unconditional: boolean,
  metadata: ObjectMeta,
  current: Entry,
): void {
  const { groupResource } = request.target.resource;
  const { name } = request.target;
  const text = metadata.resourceVersion ?? '';
  const revision = text === '' ? NO_REVISION : parseRevision(text);
  if (revision === undefined) {
    throw badRequest(invalidVersion(text));
  }
  if (revision === NO_REVISION) {
    if (unconditional) return;
    throw invalid({ group: groupResource.group, kind: groupResource.resource }, name, [
      fieldError.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  if (revision !== current.revision) throw conflict(groupResource, name, OBJECT_MODIFIED);
}

/**
 * The 409 of a write for another object than the stored one; `found` is empty
 * where there is none.
 */
export function uidMismatch(request: WriteRequest, given: string, found: string): Error {
  const { resource, name } = request.target;
  const there = found === '' ? 'none, since the object does not exist' : found;
  return conflict(
    resource.groupResource,
    name,
    `Precondition failed: UID in precondition: ${given}, UID in object meta: ${there}`,
  );
}
