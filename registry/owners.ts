import type { ApiObject } from '../api/object.ts';
import { dedupOwnerReferences, duplicateOwnersWarning } from '../api/owner-references.ts';
import type { WriteRequest } from './write-request.ts';

/** Owners that are named twice are kept once, and the client is told (behaviours 3.7). */
export function dedupOwners(
  object: ApiObject,
  { context }: WriteRequest,
  afterAdmission: boolean,
): void {
  const metadata = object.metadata;
  if (metadata.ownerReferences === undefined || metadata.ownerReferences.length < 2) return;
  const { references, duplicateUids } = dedupOwnerReferences(metadata.ownerReferences);
  if (duplicateUids.length === 0) return;
  metadata.ownerReferences = references;
  context.warnings.add(duplicateOwnersWarning(duplicateUids, { afterAdmission }));
}
