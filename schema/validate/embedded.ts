import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { nameIsPathSegment } from '../../api/name-rules.ts';
import { dns1035LabelErrors } from '../../api/names.ts';
import type { ObjectMeta } from '../../api/object.ts';
import { validateObjectMeta } from '../../api/objectmeta-validation.ts';
import { ObjectMeta as ObjectMetaSchema } from '../object-meta.ts';
import { CONTAINS, type StructuralSchema } from '../structure/structural.ts';
import { decodeTyped } from '../typed/decode-at-once.ts';
import { MAX_FIELD_ERRORS } from './run.ts';

/**
 * Resources embedded in an object need apiVersion and kind; these and the
 * metadata must be well-formed. Whether there is such a kind does not matter,
 * and a name may be missing: embedded objects are templates, mostly.
 *
 * Source: behaviours 7.5; apiextensions-apiserver pkg/apiserver/schema/objectmeta.
 */
export function validateEmbedded(
  value: JsonValue,
  schema: StructuralSchema,
  path = FieldPath.root,
): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, path, errors);
  return errors;
}

function visit(
  value: JsonValue,
  schema: StructuralSchema,
  path: FieldPath,
  errors: FieldError[],
): void {
  if ((schema.contains & CONTAINS.embedded) === 0 || errors.length >= MAX_FIELD_ERRORS) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) value.forEach((item, i) => visit(item, items, path.index(i), errors));
  } else if (isObject(value)) {
    if (schema.embedded) errors.push(...validateTypeAndMeta(value, path));
    for (const key in value) {
      const property = schema.properties?.get(key);
      const child = property ?? schema.child(key);
      if (child === undefined) continue;
      const at = property === undefined ? path.key(key) : path.child(key);
      visit(value[key] as JsonValue, child, at, errors);
    }
  }
}

/** What is wrong with apiVersion, kind and metadata of an embedded object. */
function validateTypeAndMeta(object: JsonObject, path: FieldPath): FieldError[] {
  const errors = [
    ...validateWord(object, 'apiVersion', path, (text) =>
      parseApiVersion(text) === undefined ? [`unexpected GroupVersion string: ${text}`] : [],
    ),
    ...validateWord(object, 'kind', path, (text) =>
      dns1035LabelErrors(text.toLowerCase()).map(
        (wrong) => `may have mixed case, but should otherwise match: ${wrong}`,
      ),
    ),
  ];
  const value = getOwn(object, 'metadata');
  if (value === undefined) return errors;
  const metadata = decodeTyped(value, ObjectMetaSchema);
  const at = path.child('metadata');
  if (metadata.error !== undefined) {
    return [...errors, fieldError.invalid(at, value, metadata.error)];
  }
  const meta = { ...(metadata.value as JsonObject) } as ObjectMeta;
  // a template need not have a name, and one that is not there cannot be wrong
  meta.name ??= 'unnamed';
  const rules = {
    namespaced: meta.namespace !== undefined,
    validateName: nameIsPathSegment,
    path: at,
  };
  return [...errors, ...validateObjectMeta(meta, rules)];
}

function validateWord(
  object: JsonObject,
  field: string,
  path: FieldPath,
  wrongWith: (text: string) => readonly string[],
): FieldError[] {
  const value = getOwn(object, field);
  const at = path.child(field);
  if (value === undefined) return [fieldError.required(at)];
  if (typeof value !== 'string') return [fieldError.invalid(at, value, 'must be a string')];
  if (value === '') return [fieldError.invalid(at, value, 'must not be empty')];
  return wrongWith(value).map((wrong) => fieldError.invalid(at, value, wrong));
}
