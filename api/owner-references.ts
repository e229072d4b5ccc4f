import { fieldError, type FieldError } from './field-error.ts';
import { errorsOfEach } from './field-error-list.ts';
import type { FieldPath } from './field-path.ts';
import { parseApiVersion } from './group-version.ts';
import type { JsonObject } from './json.ts';
import type { OwnerReference } from './object.ts';

/**
 * The references without repetitions, and the uids that were repeated. Two
 * references are the same when all their fields are.
 * Source: dedupOwnerReferences of kube-apiserver's handlers.
 */
export function dedupOwnerReferences(references: readonly OwnerReference[]): {
  references: OwnerReference[];
  duplicateUids: string[];
} {
  const byText = new Map<string, OwnerReference>();
  const duplicates = new Set<string>();
  for (const reference of references) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
    const flags = [controller ?? null, blockOwnerDeletion ?? null];
    const text = JSON.stringify([apiVersion, kind, name, uid, ...flags]);
    if (byText.has(text)) duplicates.add(uid);
    else byText.set(text, reference);
  }
  return { references: [...byText.values()], duplicateUids: [...duplicates].sort() };
}

/** The warning that goes with {@link dedupOwnerReferences}; `afterAdmission` when a plugin repeated them. */
export function duplicateOwnersWarning(
  uids: readonly string[],
  options: { afterAdmission?: boolean } = {},
): string {
  const when = options.afterAdmission === true ? ' after mutating admission happens' : '';
  return (
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
    `and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`
  );
}

/** Complete references, at most one of them a controller. Source: ValidateOwnerReferences of apimachinery. */
export function validateOwnerReferences(
  owners: readonly OwnerReference[],
  path: FieldPath,
): FieldError[] {
  const errors = errorsOfEach(owners, (owner) => validateOwner(owner, path));
  const controllers = owners.filter((owner) => owner.controller === true).slice(0, 2);
  if (controllers.length > 1) {
    const names = controllers.map(({ kind, name }) => `${kind}/${name}`).join(' and ');
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${names}`;
    errors.push(fieldError.invalid(path, owners.map(ownerJson), why));
  }
  return errors;
}

// the paths have no index, which is how clients know them
function validateOwner(owner: OwnerReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const version = parseApiVersion(owner.apiVersion);
  if (version === undefined) {
    const at = path.child('apiVersion');
    errors.push(fieldError.invalid(at, owner.apiVersion, 'version must not be empty'));
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    if (owner[field] !== '') continue;
    errors.push(fieldError.invalid(path.child(field), '', 'must not be empty'));
  }
  if (version?.group === '' && version.version === 'v1' && owner.kind === 'Event') {
    const why = '/v1, Kind=Event is disallowed from being an owner';
    errors.push(fieldError.invalid(path, ownerJson(owner), why));
  }
  return errors;
}

function ownerJson(owner: OwnerReference): JsonObject {
  return { ...owner };
}
