import { cloneSteps } from '../../api/json-steps.ts';
import { hasOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import type { StructuralSchema, UnionVariants } from '../structure/structural.ts';
import { decodeScalar } from './scalars.ts';
import { DecodeState } from './state.ts';
import { alwaysThere, isOmitted, zeroOf } from './zero.ts';

export interface Decoded {
  /** The value in its canonical form; meaningless when there is an error. */
  readonly value: JsonValue;
  /** Why the value does not fit its type, with the path; the request is a bad one (400). */
  readonly error: string | undefined;
  /** Paths of the fields that the type does not have; they have been dropped. */
  readonly unknown: readonly string[];
  /** Paths of those below values of several types, where a Go server does not look for them. */
  readonly tolerated: readonly string[];
}

export interface DecodeOptions {
  /** Path of the value inside its object; goes before all paths. */
  path?: string;
  /** Numbers that are written with a fraction or an exponent, by their paths: no integers, whatever their value. */
  floats?: ReadonlyMap<string, string> | undefined;
}

/**
 * Decodes JSON as a Go server decodes a built-in kind, and encodes it again:
 * unknown fields are dropped and named, nulls become absent or zero, times and
 * quantities take their canonical form, empty optional fields vanish, required
 * ones appear. The result shares nothing with `value`.
 *
 * Source: encoding/json with sigs.k8s.io/json (names are case-sensitive).
 */
export function* decodeTypedSteps(
  value: JsonValue,
  schema: StructuralSchema,
  options: DecodeOptions = {},
): Steps<Decoded> {
  const state = new DecodeState(options.path ?? '', options.floats);
  const decoded = yield* decode(value, schema, state);
  return { value: decoded, error: state.error, unknown: state.unknown, tolerated: state.tolerated };
}

function* decode(value: JsonValue, schema: StructuralSchema, state: DecodeState): Steps<JsonValue> {
  const kind = schema.typed?.kind;
  if (kind === undefined) return value;
  if (value === null) return schema.typed?.pointer === true ? null : zeroOf(schema);
  switch (kind) {
    case 'struct':
      return yield* decodeStruct(value, schema, state);
    case 'list':
      return yield* decodeList(value, schema, state);
    case 'map':
      return yield* decodeMap(value, schema, state);
    case 'union':
      return yield* decodeUnion(value, schema, state);
    case 'json':
    case 'raw':
      return yield* cloneSteps(value);
    default:
      return decodeScalar(value, schema, state);
  }
}

function* decodeStruct(
  value: JsonValue,
  schema: StructuralSchema,
  state: DecodeState,
): Steps<JsonValue> {
  if (!isObject(value)) {
    state.typeError(value, 'an object');
    return zeroOf(schema);
  }
  const result: JsonObject = {};
  for (const key in value) {
    if (isStepOver()) yield;
    if (!hasOwn(value, key)) continue;
    const field = schema.properties?.get(key);
    if (field === undefined) {
      state.reportUnknown(key);
      continue;
    }
    state.push(key);
    const item = yield* decode(value[key] as JsonValue, field, state);
    state.pop();
    if (!isOmitted(item, field, state.isMapEmpty)) setOwn(result, key, item);
  }
  for (const field of alwaysThere(schema)) {
    if (!hasOwn(result, field.name)) setOwn(result, field.name, field.zero());
  }
  return result;
}

function* decodeList(
  value: JsonValue,
  schema: StructuralSchema,
  state: DecodeState,
): Steps<JsonValue> {
  if (!Array.isArray(value)) {
    state.typeError(value, 'a list');
    return null;
  }
  const { items } = schema;
  if (items === undefined) return value.slice();
  const result: JsonValue[] = [];
  for (const [i, item] of value.entries()) {
    if (isStepOver()) yield;
    state.push(i);
    result.push(yield* decode(item, items, state));
    state.pop();
  }
  return result;
}

function* decodeMap(
  value: JsonValue,
  schema: StructuralSchema,
  state: DecodeState,
): Steps<JsonValue> {
  if (!isObject(value)) {
    state.typeError(value, 'an object');
    return null;
  }
  const values = schema.additionalProperties;
  const result: JsonObject = {};
  let isEmpty = true;
  for (const key in value) {
    if (isStepOver()) yield;
    if (!hasOwn(value, key)) continue;
    isEmpty = false;
    const item = value[key] as JsonValue;
    if (typeof values !== 'object') {
      setOwn(result, key, item);
      continue;
    }
    state.push(key);
    setOwn(result, key, yield* decode(item, values, state));
    state.pop();
  }
  state.isMapEmpty = isEmpty;
  return result;
}

function* decodeUnion(
  value: JsonValue,
  schema: StructuralSchema,
  state: DecodeState,
): Steps<JsonValue> {
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
  const decoded = yield* decode(value, variant, state);
  state.unions--;
  return decoded;
}

const VARIANT_WORDS = { object: 'an object', array: 'a list', boolean: 'a boolean' } as const;

/** The JSON types that a union takes, in words. */
export function expectedOf(variants: UnionVariants | undefined): string {
  const words = [];
  for (const type of ['object', 'array', 'boolean'] as const) {
    if (variants?.[type] !== undefined) words.push(VARIANT_WORDS[type]);
  }
  return words.join(' or ');
}
