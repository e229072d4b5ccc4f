import { fieldError, type FieldError } from './field-error.ts';
import { errorsOfEach, invalidEach, MAX_ERRORS_PER_FIELD } from './field-error-list.ts';
import { FieldPath } from './field-path.ts';
import { nameIsDnsLabel, type NameRule } from './name-rules.ts';
import { qualifiedNameErrors } from './names.ts';
import { FOREGROUND_FINALIZER, NAMESPACE_FINALIZER, ORPHAN_FINALIZER } from './naming.ts';
import type { ManagedFieldsEntry, ObjectMeta } from './object.ts';
import { validateOwnerReferences } from './owner-references.ts';
import { validateLabels } from './selectors/label-spec.ts';

/** Keys and values of all annotations together, in bytes. */
const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const MAX_FIELD_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

/** Finalizers without a domain that mean something to the server itself. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([
  NAMESPACE_FINALIZER,
  ORPHAN_FINALIZER,
  FOREGROUND_FINALIZER,
]);

const METADATA = FieldPath.of('metadata');

interface FinalizerRules {
  /** Kinds of the core group refuse finalizers without a domain, except the server's own. */
  readonly qualifiedFinalizers?: boolean;
}

export interface ObjectMetaRules extends FinalizerRules {
  readonly namespaced: boolean;
  readonly validateName: NameRule;
  /** Where the metadata stands in the object. */
  readonly path?: FieldPath;
}

/**
 * What is wrong with the metadata of an object that is about to be created,
 * after its name has been generated. Types have been checked by decodeObjectMeta.
 * Source: ValidateObjectMeta of apimachinery pkg/api/validation.
 */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  const path = rules.path ?? METADATA;
  const errors: FieldError[] = [];
  if (meta.generateName !== undefined && meta.generateName !== '') {
    const wrong = rules.validateName(meta.generateName, true);
    errors.push(...invalidEach(path.child('generateName'), meta.generateName, wrong));
  }
  if (meta.name === undefined || meta.name === '') {
    errors.push(fieldError.required(path.child('name'), 'name or generateName is required'));
  } else {
    errors.push(
      ...invalidEach(path.child('name'), meta.name, rules.validateName(meta.name, false)),
    );
  }
  errors.push(...validateNamespace(meta.namespace ?? '', rules.namespaced, path));
  errors.push(...validateCommon(meta, rules, path));
  return errors;
}

/**
 * What is wrong with the metadata of an update. The resourceVersion is not
 * looked at: the registry compares it when it writes.
 * Source: ValidateObjectMetaUpdate of apimachinery pkg/api/validation.
 */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  path: FieldPath = METADATA,
  rules: FinalizerRules = {},
): FieldError[] {
  const errors: FieldError[] = [];
  if (isSet(old.deletionTimestamp)) {
    const before = new Set(old.finalizers);
    const added = [...new Set(meta.finalizers)].filter((name) => !before.has(name)).sort();
    if (added.length > 0) {
      const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`;
      errors.push(fieldError.forbidden(path.child('finalizers'), why));
    }
  }
  const generation = meta.generation ?? 0;
  if (generation < (old.generation ?? 0)) {
    const at = path.child('generation');
    errors.push(fieldError.invalid(at, generation, 'must not be decremented'));
  }
  for (const field of IMMUTABLE) {
    const value = meta[field] ?? null;
    if (orNull(value) !== orNull(old[field])) {
      errors.push(fieldError.invalid(path.child(field), value, 'field is immutable'));
    }
  }
  errors.push(...validateCommon(meta, rules, path));
  return errors;
}

/** An absent string and an empty one are the same. */
function orNull(value: string | number | null | undefined): string | number | null {
  return value === undefined || value === '' ? null : value;
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** Warnings about finalizers that any other client could take too; only those that are new. */
export function finalizerWarnings(meta: ObjectMeta, old?: ObjectMeta): string[] {
  const before = new Set(old?.finalizers);
  return [...new Set(meta.finalizers)]
    .filter((name) => !before.has(name) && isUnqualified(name))
    .sort()
    .map(
      (name) =>
        `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
    );
}

function isUnqualified(finalizer: string): boolean {
  return !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer);
}

function isSet(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value !== '';
}

function validateNamespace(namespace: string, namespaced: boolean, path: FieldPath): FieldError[] {
  const at = path.child('namespace');
  if (!namespaced) {
    return namespace === '' ? [] : [fieldError.forbidden(at, 'not allowed on this type')];
  }
  if (namespace === '') return [fieldError.required(at)];
  return invalidEach(at, namespace, nameIsDnsLabel(namespace, false));
}

function validateCommon(meta: ObjectMeta, rules: FinalizerRules, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if ((meta.generation ?? 0) < 0) {
    const at = path.child('generation');
    errors.push(fieldError.invalid(at, meta.generation ?? 0, 'must be greater than or equal to 0'));
  }
  const { labels, annotations, ownerReferences, finalizers, managedFields } = meta;
  // each place is asked for only where something stands: this is 1 µs of a create
  if (labels) add(errors, validateLabels(labels, path.child('labels')));
  if (annotations) add(errors, validateAnnotations(annotations, path.child('annotations')));
  if (ownerReferences) {
    add(errors, validateOwnerReferences(ownerReferences, path.child('ownerReferences')));
  }
  if (finalizers) add(errors, validateFinalizers(finalizers, rules, path.child('finalizers')));
  if (managedFields) {
    add(errors, validateManagedFields(managedFields, path.child('managedFields')));
  }
  return errors;
}

function add(errors: FieldError[], more: readonly FieldError[]): void {
  if (more.length > 0) errors.push(...more);
}

/** Keys in any case; at most {@link MAX_ANNOTATIONS_BYTES} in all. Pod templates and the like have them too. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    const value = annotations[key] ?? '';
    if (errors.length < MAX_ERRORS_PER_FIELD) {
      add(errors, invalidEach(path, key, qualifiedNameErrors(key.toLowerCase())));
    }
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > MAX_ANNOTATIONS_BYTES) errors.push(fieldError.tooLong(path, MAX_ANNOTATIONS_BYTES));
  return errors;
}

function validateFinalizers(
  finalizers: readonly string[],
  rules: FinalizerRules,
  path: FieldPath,
): FieldError[] {
  const errors = errorsOfEach(finalizers, (name) =>
    invalidEach(path, name, qualifiedNameErrors(name)),
  );
  if (finalizers.includes(ORPHAN_FINALIZER) && finalizers.includes(FOREGROUND_FINALIZER)) {
    const why = `finalizer ${ORPHAN_FINALIZER} and ${FOREGROUND_FINALIZER} cannot be both set`;
    errors.push(fieldError.invalid(path, [...finalizers], why));
  }
  if (rules.qualifiedFinalizers === true) {
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    const unqualified = errorsOfEach(finalizers, (name, i) =>
      isUnqualified(name) ? [fieldError.invalid(path.index(i), name, why)] : [],
    );
    errors.push(...unqualified);
  }
  return errors;
}

function validateManagedFields(
  entries: readonly ManagedFieldsEntry[],
  path: FieldPath,
): FieldError[] {
  return errorsOfEach(entries, (entry, i) => {
    const at = path.index(i);
    const errors: FieldError[] = [];
    const operation: string = entry.operation ?? '';
    if (operation !== 'Apply' && operation !== 'Update') {
      const why = 'must be `Apply` or `Update`';
      errors.push(fieldError.invalid(at.child('operation'), operation, why));
    }
    if (entry.fieldsType !== undefined && entry.fieldsType !== 'FieldsV1') {
      const why = 'must be `FieldsV1`';
      errors.push(fieldError.invalid(at.child('fieldsType'), entry.fieldsType, why));
    }
    errors.push(...validateFieldManager(entry.manager ?? '', at.child('manager')));
    if (Buffer.byteLength(entry.subresource ?? '') > MAX_SUBRESOURCE_BYTES) {
      errors.push(fieldError.tooLong(at.child('subresource'), MAX_SUBRESOURCE_BYTES));
    }
    return errors;
  });
}

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** At most {@link MAX_FIELD_MANAGER_BYTES} bytes of printable characters; an empty string means no manager. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > MAX_FIELD_MANAGER_BYTES) {
    errors.push(fieldError.tooLong(path, MAX_FIELD_MANAGER_BYTES));
  }
  const bad = UNPRINTABLE.exec(manager);
  if (bad !== null) {
    const code = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const at = Buffer.byteLength(manager.slice(0, bad.index));
    errors.push(
      fieldError.invalid(path, manager, `invalid character U+${code} (at position ${at})`),
    );
  }
  return errors;
}
