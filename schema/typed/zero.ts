import { hasOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from '../structure/structural.ts';

/** A field that appears in what is served although the object that was sent does not have it. */
interface AlwaysThere {
  readonly name: string;
  readonly zero: () => JsonValue;
}

const cache = new WeakMap<ReadonlyMap<string, StructuralSchema>, readonly AlwaysThere[]>();

/** The fields of a struct that Go's encoder never leaves out, with what it writes for them. */
export function alwaysThere(struct: StructuralSchema): readonly AlwaysThere[] {
  const { properties } = struct;
  if (properties === undefined) return [];
  let fields = cache.get(properties);
  if (fields === undefined) {
    fields = [...properties]
      .filter(([, schema]) => isAlwaysThere(schema))
      .map(([name, schema]) => ({ name, zero: () => encodedZero(schema) }));
    cache.set(properties, fields);
  }
  return fields;
}

/** `omitempty` has no effect on these: Go's encoder has no empty value for a struct. */
const STRUCTS: ReadonlySet<string> = new Set([
  'struct',
  'time',
  'microTime',
  'quantity',
  'intOrString',
  'raw',
  'json',
  'union',
]);

function isAlwaysThere({ typed }: StructuralSchema): boolean {
  if (typed === undefined) return false;
  if (typed.omit === 'never') return true;
  return typed.omit === 'empty' && !typed.pointer && STRUCTS.has(typed.kind);
}

/** What Go's encoder writes for a field that holds its zero value. */
function encodedZero(schema: StructuralSchema): JsonValue {
  return schema.typed?.pointer === true ? null : zeroOf(schema);
}

/** The zero value of a type as JSON. */
export function zeroOf(schema: StructuralSchema): JsonValue {
  switch (schema.typed?.kind) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'struct': {
      const zero: JsonObject = {};
      for (const field of alwaysThere(schema)) setOwn(zero, field.name, field.zero());
      return zero;
    }
    // without a type, null is all there is to say
    case undefined:
    case 'bytes':
    case 'json':
    case 'list':
    case 'map':
    case 'microTime':
    case 'raw':
    case 'time':
    case 'union':
      return null;
  }
}

/**
 * Whether a decoded value without a pointer is left out. Whether a map is empty
 * its decoder has seen: to ask a large one takes milliseconds.
 *
 * Source: encoding/json, omitempty and omitzero.
 */
export function isOmitted(
  value: JsonValue,
  schema: StructuralSchema,
  isMapEmpty: boolean,
): boolean {
  const typed = schema.typed;
  if (typed === undefined || typed.omit === 'never') return false;
  if (typed.pointer) return value === null;
  if (STRUCTS.has(typed.kind)) {
    return typed.omit === 'zero' && (value === null || isZeroStruct(value, schema));
  }
  if (typed.kind === 'map' && value !== null) return isMapEmpty;
  return isEmpty(value);
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (hasOwn(value, key)) return false;
  return true;
}

/** A struct whose every field shows its zero value. */
function isZeroStruct(value: JsonValue, schema: StructuralSchema): boolean {
  if (schema.typed?.kind !== 'struct') return value === zeroOf(schema);
  if (!isObject(value)) return false;
  return Object.keys(value).every((key) => {
    const field = schema.properties?.get(key);
    const item = value[key] as JsonValue;
    if (field?.typed === undefined) return false;
    if (field.typed.pointer) return item === null;
    return field.typed.kind === 'struct' ? isZeroStruct(item, field) : isEmpty(item);
  });
}
