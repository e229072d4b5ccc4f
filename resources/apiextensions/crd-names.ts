import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { dns1035LabelErrors } from '../../api/names.ts';
import type { CrdNames } from './crd-types.ts';

/** The names that a definition must ask for, defaults filled in. Source: behaviours 7.1. */
export function validateRequiredNames(path: FieldPath, names: CrdNames): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((name) => (names[name] ?? '') === '')
    .map((name) => fieldError.required(path.child(name)));
}

/** What is wrong with the form of names, asked for or accepted; an empty one is not a name. */
export function validateNames(path: FieldPath, names: CrdNames): FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names;
  const errors = [
    ...validateLabel(path.child('plural'), plural),
    ...validateLabel(path.child('singular'), singular),
    ...validateKind(path.child('kind'), kind),
    ...validateKind(path.child('listKind'), listKind),
    ...errorsOfEach(shortNames, (name, i) =>
      validateEntry(path.child('shortNames').index(i), name),
    ),
  ];
  if (kind !== '' && kind === listKind) {
    const why = 'kind and listKind may not be the same';
    errors.push(fieldError.invalid(path.child('listKind'), listKind, why));
  }
  errors.push(
    ...errorsOfEach(categories, (name, i) =>
      validateEntry(path.child('categories').index(i), name),
    ),
  );
  return errors;
}

function validateLabel(path: FieldPath, name: string): FieldError[] {
  return name === '' ? [] : validateEntry(path, name);
}

/** One error for all that is wrong, as the reference has it. */
function validateEntry(path: FieldPath, name: string): FieldError[] {
  const wrong = dns1035LabelErrors(name);
  return wrong.length === 0 ? [] : [fieldError.invalid(path, name, wrong.join(','))];
}

function validateKind(path: FieldPath, kind: string): FieldError[] {
  const wrong = kind === '' ? [] : dns1035LabelErrors(kind.toLowerCase());
  if (wrong.length === 0) return [];
  const why = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
  return [fieldError.invalid(path, kind, why)];
}
