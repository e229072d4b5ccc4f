import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { canonicalJson } from '../../api/json-write.ts';
import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { CONTAINS, type StructuralSchema } from '../structural.ts';
import { MAX_FIELD_ERRORS } from './run.ts';

/**
 * Items of lists of type set, and keys of items of lists of type map, occur
 * once. The second of each is reported, further ones are not.
 *
 * Source: behaviours 7.5; apiextensions-apiserver pkg/apiserver/schema/listtype.
 */
export function validateListTypes(
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
  if ((schema.contains & CONTAINS.uniqueItems) === 0 || errors.length >= MAX_FIELD_ERRORS) return;
  if (Array.isArray(value)) {
    if (schema.listType === 'set') checkSet(value, path, errors);
    else if (schema.listType === 'map') checkMap(value, schema.listMapKeys, path, errors);
    const { items } = schema;
    if (items === undefined) return;
    value.forEach((item, i) => visit(item, items, path.index(i), errors));
  } else if (isObject(value)) {
    for (const key in value) {
      const property = schema.properties?.get(key);
      const child = property ?? schema.child(key);
      if (child === undefined) continue;
      const at = property === undefined ? path.key(key) : path.child(key);
      visit(value[key] as JsonValue, child, at, errors);
    }
  }
}

function checkSet(value: JsonValue[], path: FieldPath, errors: FieldError[]): void {
  for (const i of repeated(value)) {
    errors.push(fieldError.duplicate(path.index(i), value[i]));
  }
}

function checkMap(
  value: JsonValue[],
  names: readonly string[],
  path: FieldPath,
  errors: FieldError[],
): void {
  const keys: JsonObject[] = [];
  for (const [i, item] of value.entries()) {
    if (item !== null && !isObject(item)) {
      errors.push(
        fieldError.invalid(path.index(i), item, 'must be an object for an array of list-type map'),
      );
      return;
    }
    keys.push(keysOf(item, names));
  }
  for (const i of repeated(keys)) {
    errors.push(fieldError.duplicate(path.index(i), keys[i]));
  }
}

/** The keys that an item has, as an object. */
function keysOf(item: JsonObject | null, names: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  for (const name of names) {
    const value = item === null ? undefined : getOwn(item, name);
    if (value !== undefined) setOwn(keys, name, value);
  }
  return keys;
}

/** Indices at which a value occurs for the second time. Numbers are compared by value. */
function repeated(values: readonly JsonValue[]): number[] {
  if (values.length < 2) return [];
  const seen = new Map<JsonValue, boolean>();
  const found: number[] = [];
  for (const [i, value] of values.entries()) {
    const key = comparable(value);
    const isReported = seen.get(key);
    if (isReported === false) found.push(i);
    seen.set(key, isReported !== undefined);
  }
  return found;
}

/** A value that is the same for equal values: scalars stand for themselves, others for their text. */
function comparable(value: JsonValue): JsonValue {
  // no scalar is like the text: it begins with a character that JSON has nowhere
  return typeof value === 'object' && value !== null ? `\u0000${canonicalJson({ value })}` : value;
}
