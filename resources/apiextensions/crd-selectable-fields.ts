import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { deepEqual } from '../../api/json.ts';
import { parseFieldPath } from '../../schema/field-path-syntax.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import type { CrdVersion } from './crd-types.ts';

const MAX_SELECTABLE_FIELDS = 8;
/** More of them than this are only counted: each is looked up in the schema. */
const MAX_CHECKED = 64;
const SELECTABLE_TYPES: readonly string[] = ['string', 'boolean', 'integer'];

type SelectableFields = NonNullable<CrdVersion['selectableFields']>;

/**
 * `old`: the fields of the same version before an update; too many of them may
 * stay. Source: specification 3, section 2.1, selectable field; behaviours 7.14.
 */
export function validateSelectableFields(
  path: FieldPath,
  fields: SelectableFields,
  schema: StructuralSchema,
  old: SelectableFields | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { jsonPath }] of fields.entries()) {
    if (i < MAX_CHECKED) {
      errors.push(...validateField(path.index(i).child('jsonPath'), jsonPath, schema, seen));
    } else seen.add(jsonPath);
  }
  const isUnchanged = deepEqual(fields, old);
  if (seen.size > MAX_SELECTABLE_FIELDS && !isUnchanged) {
    errors.push(fieldError.tooMany(path, seen.size, MAX_SELECTABLE_FIELDS));
  }
  return errors;
}

function validateField(
  path: FieldPath,
  jsonPath: string,
  schema: StructuralSchema,
  seen: Set<string>,
): FieldError[] {
  if (jsonPath === '') return [fieldError.required(path)];
  const parsed = parseFieldPath(jsonPath, schema, { allowArrayNotation: false });
  if (typeof parsed === 'string') {
    return [fieldError.invalid(path, jsonPath, `is an invalid path: ${parsed}`)];
  }
  const errors: FieldError[] = [];
  if (parsed.steps[0]?.name === 'metadata') {
    errors.push(fieldError.invalid(path, jsonPath, 'must not point to fields in metadata'));
  }
  if (!SELECTABLE_TYPES.includes(parsed.schema?.type ?? '')) {
    const why =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    errors.push(fieldError.invalid(path, jsonPath, why));
  }
  if (seen.has(jsonPath)) errors.push(fieldError.duplicate(path, jsonPath));
  seen.add(jsonPath);
  return errors;
}
