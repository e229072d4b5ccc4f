import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { canonicalJson } from '../../api/json-write.ts';
import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { CONTAINS, type StructuralSchema } from '../structure/structural.ts';
import { Trail } from '../trail.ts';
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
  path: FieldPath | string = '',
): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, new Trail(path.toString()), errors);
  return errors;
}

function visit(
  value: JsonValue,
  schema: StructuralSchema,
  trail: Trail,
  errors: FieldError[],
): void {
  if ((schema.contains & CONTAINS.uniqueItems) === 0 || errors.length >= MAX_FIELD_ERRORS) return;
  if (Array.isArray(value)) {
    if (schema.listType === 'set') checkSet(value, trail, errors);
    else if (schema.listType === 'map') checkMap(value, schema.listMapKeys, trail, errors);
    const { items } = schema;
    if (items === undefined || (items.contains & CONTAINS.uniqueItems) === 0) return;
    for (let i = 0; i < value.length; i++) {
      trail.index(i);
      visit(value[i] as JsonValue, items, trail, errors);
      trail.pop();
    }
  } else if (isObject(value)) {
    for (const key in value) {
      const property = schema.properties?.get(key);
      const child = property ?? schema.child(key);
      if (child === undefined || (child.contains & CONTAINS.uniqueItems) === 0) continue;
      if (property === undefined) trail.key(key);
      else trail.field(key);
      visit(value[key] as JsonValue, child, trail, errors);
      trail.pop();
    }
  }
}

function checkSet(value: JsonValue[], trail: Trail, errors: FieldError[]): void {
  for (const i of repeated(value)) errors.push(fieldError.duplicate(trail.at(i), value[i]));
}

function checkMap(
  value: JsonValue[],
  names: readonly string[],
  trail: Trail,
  errors: FieldError[],
): void {
  const keys: JsonValue[] = [];
  for (let i = 0; i < value.length; i++) {
    const item = value[i] as JsonValue;
    if (item !== null && !isObject(item)) {
      const why = 'must be an object for an array of list-type map';
      errors.push(fieldError.invalid(trail.at(i), item, why));
      return;
    }
    keys.push(keyOf(item, names));
  }
  for (const i of repeated(keys)) {
    errors.push(fieldError.duplicate(trail.at(i), keysOf(value[i], names)));
  }
}

/** No key of an object has this value: it stands for an absent one. */
const ABSENT = '\u0000absent';

/** One value that is the same for items with the same keys. */
function keyOf(item: JsonObject | null, names: readonly string[]): JsonValue {
  const [name] = names;
  if (names.length !== 1 || name === undefined) return keysOf(item, names);
  const key = item === null ? undefined : getOwn(item, name);
  return key === undefined ? ABSENT : key;
}

/** The keys that an item has, as an object. */
function keysOf(item: JsonValue | undefined, names: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  for (const name of names) {
    const value = isObject(item) ? getOwn(item, name) : undefined;
    if (value !== undefined) setOwn(keys, name, value);
  }
  return keys;
}

/** Indices at which a value occurs for the second time. Numbers are compared by value. */
function repeated(values: readonly JsonValue[]): number[] {
  if (values.length < 2) return [];
  const seen = new Set<JsonValue>();
  let reported: Set<JsonValue> | undefined;
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const key = comparable(values[i] as JsonValue);
    if (!seen.has(key)) seen.add(key);
    else if (reported?.has(key) !== true) {
      (reported ??= new Set()).add(key);
      found.push(i);
    }
  }
  return found;
}

/** A value that is the same for equal values: scalars stand for themselves, others for their text. */
function comparable(value: JsonValue): JsonValue {
  // no text of a client is like it by chance: it begins with what texts do not begin with
  return typeof value === 'object' && value !== null ? `\u0000${canonicalJson({ value })}` : value;
}
