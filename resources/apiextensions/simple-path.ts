import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';

const ARRAY_NOTATION = /[[\]]/;

/** A path begins with a dot; what follows is tried on objects only. */
export function validateSimplePath(path: FieldPath, jsonPath: string): FieldError[] {
  return jsonPath.startsWith('.')
    ? []
    : [fieldError.invalid(path, jsonPath, 'must be a simple json path starting with .')];
}

/** A path to a field of an object that begins with one of `roots`: `.spec.`, `.status.`. */
export function validatePathUnder(
  path: FieldPath,
  jsonPath: string,
  roots: readonly string[],
): FieldError[] {
  const errors = validateSimplePath(path, jsonPath);
  if (ARRAY_NOTATION.test(jsonPath)) {
    return [fieldError.invalid(path, jsonPath, 'must be a json path without array notation')];
  }
  if (errors.length > 0 || roots.some((root) => jsonPath.startsWith(root))) return errors;
  const names = roots.map((root) => root.slice(0, -1)).join(' or ');
  const where = roots.length > 1 ? `either ${names}` : names;
  return [fieldError.invalid(path, jsonPath, `should be a json path under ${where}`)];
}

/** The keys on the way of a path in dot notation: `.spec.replicas` → `['spec', 'replicas']`. */
export function keysOfPath(jsonPath: string): string[] {
  return jsonPath.replace(/^\./, '').split('.');
}
