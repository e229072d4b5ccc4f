// Made from decode.ts by `npm run generate:twins`: the same without rests.
import type { StructuralSchema } from '../structure/structural.ts';
import { DecodeState } from './state.ts';
import { alwaysThere, isOmitted, zeroOf } from './zero.ts';
import { decodeScalar } from './scalars.ts';
import { type DecodeOptions, type Decoded, expectedOf } from './decode.ts';
import {
  type JsonObject,
  type JsonValue,
  deepClone,
  hasOwn,
  isObject,
  setOwn,
} from '../../api/json.ts';

/**
 * Decodes JSON as a Go server decodes a built-in kind, and encodes it again:
 * unknown fields are dropped and named, nulls become absent or zero, times and
 * quantities take their canonical form, empty optional fields vanish, required
 * ones appear. The result shares nothing with `value`.
 *
 * Source: encoding/json with sigs.k8s.io/json (names are case-sensitive).
 */
export function decodeTyped(
  value: JsonValue,
  schema: StructuralSchema,
  options: DecodeOptions = {},
): Decoded {
  const state = new DecodeState(options.path ?? '', options.floats);
  const decoded = decode(value, schema, state);
  return { value: decoded, error: state.error, unknown: state.unknown, tolerated: state.tolerated };
}

function decode(value: JsonValue, schema: StructuralSchema, state: DecodeState): JsonValue {
  const kind = schema.typed?.kind;
  if (kind === undefined) return value;
  if (value === null) return schema.typed?.pointer === true ? null : zeroOf(schema);
  switch (kind) {
    case 'struct':
      return decodeStruct(value, schema, state);
    case 'list':
      return decodeList(value, schema, state);
    case 'map':
      return decodeMap(value, schema, state);
    case 'union':
      return decodeUnion(value, schema, state);
    case 'json':
    case 'raw':
      return deepClone(value);
    default:
      return decodeScalar(value, schema, state);
  }
}

function decodeStruct(value: JsonValue, schema: StructuralSchema, state: DecodeState): JsonValue {
  if (!isObject(value)) {
    state.typeError(value, 'an object');
    return zeroOf(schema);
  }
  const result: JsonObject = {};
  for (const key in value) {
    if (!hasOwn(value, key)) continue;
    const field = schema.properties?.get(key);
    if (field === undefined) {
      state.reportUnknown(key);
      continue;
    }
    state.push(key);
    const item = decode(value[key] as JsonValue, field, state);
    state.pop();
    if (!isOmitted(item, field, state.isMapEmpty)) setOwn(result, key, item);
  }
  for (const field of alwaysThere(schema)) {
    if (!hasOwn(result, field.name)) setOwn(result, field.name, field.zero());
  }
  return result;
}

function decodeList(value: JsonValue, schema: StructuralSchema, state: DecodeState): JsonValue {
  if (!Array.isArray(value)) {
    state.typeError(value, 'a list');
    return null;
  }
  const { items } = schema;
  if (items === undefined) return value.slice();
  const result: JsonValue[] = [];
  for (const [i, item] of value.entries()) {
    state.push(i);
    result.push(decode(item, items, state));
    state.pop();
  }
  return result;
}

function decodeMap(value: JsonValue, schema: StructuralSchema, state: DecodeState): JsonValue {
  if (!isObject(value)) {
    state.typeError(value, 'an object');
    return null;
  }
  const values = schema.additionalProperties;
  const result: JsonObject = {};
  let isEmpty = true;
  for (const key in value) {
    if (!hasOwn(value, key)) continue;
    isEmpty = false;
    const item = value[key] as JsonValue;
    if (typeof values !== 'object') {
      setOwn(result, key, item);
      continue;
    }
    state.push(key);
    setOwn(result, key, decode(item, values, state));
    state.pop();
  }
  state.isMapEmpty = isEmpty;
  return result;
}

function decodeUnion(value: JsonValue, schema: StructuralSchema, state: DecodeState): JsonValue {
  const variants = schema.typed?.variants;
  const variant = Array.isArray(value)
    ? variants?.array
    : typeof value === 'boolean'
      ? variants?.boolean
      : isObject(value)
        ? variants?.object
        : undefined;
  if (variant === undefined) {
    state.typeError(value, expectedOf(variants));
    return null;
  }
  state.unions++;
  const decoded = decode(value, variant, state);
  state.unions--;
  return decoded;
}
