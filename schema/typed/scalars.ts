import type { JsonValue } from '../../api/json.ts';
import { Quantity } from '../../api/quantity.ts';
import { canonicalMicroTime, canonicalTime, timeError } from '../../api/time.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import type { DecodeState } from './state.ts';
import { zeroOf } from './zero.ts';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;
const INT32 = 'a 32-bit integer';

/** Decodes all types except structs, lists, maps, unions and any JSON; `value` is not null. */
export function decodeScalar(
  value: JsonValue,
  schema: StructuralSchema,
  state: DecodeState,
): JsonValue {
  const typed = schema.typed;
  if (typed === undefined) return value;
  switch (typed.kind) {
    case 'string':
      if (typeof value === 'string') return value;
      state.typeError(value, 'a string');
      return zeroOf(schema);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      state.typeError(value, 'true or false');
      return zeroOf(schema);
    case 'int32':
      return decodeInteger(value, isInt32, INT32, state);
    case 'int64':
      return decodeInteger(value, isInt64, 'a 64-bit integer', state);
    case 'float64':
      // an integer of many digits stays what it is
      if (typeof value === 'number' || typeof value === 'bigint') return value;
      state.typeError(value, 'a number');
      return zeroOf(schema);
    case 'intOrString':
      return typeof value === 'string'
        ? value
        : decodeInteger(value, isInt32, `a string or ${INT32}`, state);
    case 'quantity':
      return decodeQuantity(value, state);
    case 'bytes':
      return decodeBytes(value, state);
    case 'time':
      return decodeTime(value, 'Time', state);
    case 'microTime':
      return decodeTime(value, 'MicroTime', state);
    default:
      return value;
  }
}

// -0 is the integer 0
const isInt64 = (value: JsonValue): boolean =>
  typeof value === 'bigint' || Number.isSafeInteger(value);
const isInt32 = (value: JsonValue): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX;
const isUint8 = (value: JsonValue): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

function decodeInteger(
  value: JsonValue,
  fits: (value: JsonValue) => boolean,
  expected: string,
  state: DecodeState,
): JsonValue {
  if (!fits(value)) {
    state.typeError(value, expected, true);
    return 0;
  }
  // to Go's decoder only what is written as an integer is one
  const float = state.float();
  if (float !== undefined) state.fail(`must be ${expected}, not ${float}`);
  return value === 0 ? 0 : value;
}

function decodeQuantity(value: JsonValue, state: DecodeState): JsonValue {
  const quantity = Quantity.fromJson(value);
  if (quantity === undefined) {
    state.fail(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
    return '0';
  }
  return quantity.toString();
}

function decodeTime(value: JsonValue, kind: 'Time' | 'MicroTime', state: DecodeState): JsonValue {
  if (typeof value !== 'string') {
    state.typeError(value, 'a time as a string');
    return null;
  }
  const time = kind === 'Time' ? canonicalTime(value) : canonicalMicroTime(value);
  if (time === undefined) {
    state.fail(timeError(value, kind));
    return null;
  }
  return time;
}

function decodeBytes(value: JsonValue, state: DecodeState): JsonValue {
  if (Array.isArray(value)) return decodeListOfBytes(value, state);
  if (typeof value !== 'string') {
    state.typeError(value, 'a base64 string');
    return null;
  }
  // Go's decoder skips line breaks, and writes the rest back in one line
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]+/g, '') : value;
  const problem = base64Problem(text);
  if (problem !== undefined) {
    state.fail(`illegal base64 data at input byte ${problem}`);
    return null;
  }
  return Buffer.from(text, 'base64').toString('base64');
}

/** To Go's decoder a []byte is a slice like any other, that may also come as a list of numbers. */
function decodeListOfBytes(value: readonly JsonValue[], state: DecodeState): JsonValue {
  const numbers = value.map((item) => {
    if (item === null) return 0;
    if (isUint8(item)) return Number(item);
    state.typeError(item, 'a list of bytes from 0 to 255', true);
    return 0;
  });
  return Buffer.from(numbers).toString('base64');
}

const PADDING = 0x3d;

/** Offset of the first character that padded standard base64 cannot have there; undefined when all is well. */
export function base64Problem(text: string): number | undefined {
  const { length } = text;
  if (length === 0) return undefined;
  let end = length;
  if (text.charCodeAt(end - 1) === PADDING) end--;
  if (end < length && text.charCodeAt(end - 1) === PADDING) end--;
  for (let i = 0; i < end; i++) if (!isBase64(text.charCodeAt(i))) return i;
  return length % 4 === 0 ? undefined : length;
}

function isBase64(c: number): boolean {
  return (
    (c >= 0x41 && c <= 0x5a) ||
    (c >= 0x61 && c <= 0x7a) ||
    (c >= 0x30 && c <= 0x39) ||
    c === 0x2b ||
    c === 0x2f
  );
}
