import { fieldError, type FieldError } from '../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../api/field-error-list.ts';
import { FieldPath } from '../api/field-path.ts';
import { qualifiedNameErrors } from '../api/names.ts';
import { FOREGROUND_FINALIZER, NAMESPACE_FINALIZER, ORPHAN_FINALIZER } from '../api/naming.ts';
import type { ApiObject, ObjectMeta } from '../api/object.ts';

/** Finalizers that may stand without a domain. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([
  NAMESPACE_FINALIZER,
  ORPHAN_FINALIZER,
  FOREGROUND_FINALIZER,
]);

/** What is wrong with a finalizer of a kind of old: a qualified name, with a domain unless it is standard. */
export function validateFinalizerName(path: FieldPath, name: string): FieldError[] {
  const errors = invalidEach(path, name, qualifiedNameErrors(name));
  return [...errors, ...validateFinalizerDomain(path, name)];
}

function validateFinalizerDomain(path: FieldPath, name: string): FieldError[] {
  return name.includes('/') || STANDARD_FINALIZERS.has(name)
    ? []
    : [
        fieldError.invalid(
          path,
          name,
          'name is neither a standard finalizer name nor is it fully qualified',
        ),
      ];
}

/**
 * Some kinds outside the core group ask more of metadata.finalizers than the
 * general rules of metadata do: no name without a domain. (For the core group
 * the registry asks the same.)
 */
export function validateMetadataFinalizers({ finalizers }: ObjectMeta): FieldError[] {
  if (finalizers === undefined) return [];
  const path = FieldPath.of('metadata', 'finalizers');
  return errorsOfEach(finalizers, (name, i) => validateFinalizerDomain(path.index(i), name));
}

/** Metadata that a write through a status subresource may not change. Source: ResetObjectMetaForStatus. */
const KEPT_FOR_STATUS = [
  'deletionTimestamp',
  'generation',
  'selfLink',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const satisfies readonly (keyof ObjectMeta)[];

/** Takes the metadata that status may not change from the stored object. */
export function resetMetadataForStatus(object: ApiObject, old: ApiObject): void {
  for (const field of KEPT_FOR_STATUS) keepField(object.metadata, old.metadata, field);
}

/** Gives a field the value that it has in the stored object, or none. */
export function keepField<T extends object>(object: T, old: T, field: keyof T): void {
  if (Object.hasOwn(old, field)) object[field] = old[field];
  // oxlint-disable-next-line typescript/no-dynamic-delete -- the field is a name of the type
  else delete object[field];
}
