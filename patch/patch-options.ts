import { BoundedCache } from '../api/bounded-cache.ts';
import { fieldError, type FieldError } from '../api/field-error.ts';
import { FieldPath } from '../api/field-path.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';

/** Media types of patches. Strategic merge patches are for built-in kinds only (behaviours 5.6). */
export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** Bytes of a field manager's name, and of a subresource in an entry. */
const MAX_FIELD_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

/** The parameters of a patch as they stand in the query; absent ones undefined. */
export interface PatchOptions {
  readonly fieldManager?: string | undefined;
  /** Any value counts as given, even if it is not a boolean. */
  readonly force?: string | undefined;
}

/**
 * The rules of `fieldManager` and `force` (behaviours 5.10): an apply needs a manager,
 * only an apply may be forced. `dryRun` and `fieldValidation` have the same
 * rules on every write and are checked with those.
 */
export function validatePatchOptions(options: PatchOptions, mediaType: string): FieldError[] {
  const manager = options.fieldManager ?? '';
  const errors: FieldError[] = [];
  if (mediaType === APPLY_PATCH) {
    if (manager === '')
      errors.push(fieldError.required('fieldManager', 'is required for apply patch'));
  } else if (options.force !== undefined) {
    errors.push(fieldError.forbidden('force', 'may not be specified for non-apply patch'));
  }
  return [...errors, ...validateFieldManager(manager, FieldPath.of('fieldManager'))];
}

/** At most 128 bytes of printable characters; empty is as if not given. Source: apimachinery, meta/v1/validation. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  if (manager.length <= MAX_FIELD_MANAGER_BYTES && PLAIN.test(manager)) return [];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > MAX_FIELD_MANAGER_BYTES) {
    errors.push(fieldError.tooLong(path, MAX_FIELD_MANAGER_BYTES));
  }
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = `U+${codePoint(character).toString(16).toUpperCase().padStart(4, '0')}`;
      errors.push(
        fieldError.invalid(path, manager, `invalid character ${code} (at position ${position})`),
      );
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

/** Printable in ASCII, as nearly all are: found at once. */
const PLAIN = /^[ -~]*$/;

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Letters, marks, numbers, punctuation, symbols and the plain space, as Go's unicode.IsPrint. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

/**
 * The manager of a request: the parameter, otherwise the product name of the
 * user agent (what stands before the first slash), printable and no longer than
 * a manager may be.
 */
export function managerOfRequest(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  return managers.get(userAgent, managerOfAgent);
}

/** User agents whose manager is remembered, which takes 1 µs to find, and characters of one. */
const MAX_AGENTS = 1_000;
const MAX_KEPT_AGENT = 256;
const managers = new BoundedCache<string>(MAX_AGENTS, (_, { length }) =>
  length > MAX_KEPT_AGENT ? Infinity : 1,
);

function managerOfAgent(userAgent: string): string {
  let manager = '';
  let bytes = 0;
  for (const character of userAgent.split('/', 1)[0] ?? '') {
    if (!isPrintable(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_FIELD_MANAGER_BYTES) break;
    manager += character;
  }
  return manager;
}

/** The rules of `metadata.managedFields` as it is to be stored. Source: apimachinery, meta/v1/validation. */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[],
  path: FieldPath,
): FieldError[] {
  return entries.flatMap((entry, i) => validateEntry(entry, path.index(i)));
}

function validateEntry(entry: ManagedFieldsEntry, path: FieldPath): FieldError[] {
  const { operation, fieldsType, manager = '', subresource = '' } = entry;
  const errors: FieldError[] = [];
  if ((operation ?? '') === '') {
    errors.push(fieldError.required(path.child('operation'), 'must not be empty'));
  } else if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(fieldError.notSupported(path.child('operation'), operation, ['Apply', 'Update']));
  }
  if ((fieldsType ?? '') !== '' && fieldsType !== 'FieldsV1') {
    errors.push(fieldError.invalid(path.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(manager, path.child('manager')));
  if (Buffer.byteLength(subresource) > MAX_SUBRESOURCE_BYTES) {
    errors.push(fieldError.tooLong(path.child('subresource'), MAX_SUBRESOURCE_BYTES));
  }
  return errors;
}
