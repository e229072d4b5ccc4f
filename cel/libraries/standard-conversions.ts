import { declareFunction, globalOverload, type FunctionDeclaration } from '../types/declaration.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  typeParam,
  typeType,
  UINT,
} from '../value/type.ts';
import { formatGeneral, parseDouble } from '../value/double.ts';
import { formatDuration, parseDuration } from '../value/duration.ts';
import {
  INT64_MAX,
  INT64_MIN,
  INT_OVERFLOW,
  intFromDouble,
  intOf,
  UINT64_MAX,
  UINT_OVERFLOW,
} from '../value/int.ts';
import { sizeOf, walkCost } from '../value/size.ts';
import {
  floorSeconds,
  formatTimestamp,
  parseTimestamp,
  timestampOfSeconds,
} from '../value/timestamp.ts';
import { runtimeType } from '../value/type-of.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelTypeValue,
  CelUint,
  type CelValue,
} from '../value/value.ts';
import type { CelType } from '../value/cel-type.ts';

const A = typeParam('A');

function cannotConvert(from: CelType, to: CelType): CelError {
  return new CelError(`type conversion error from '${from.name}' to '${to.name}'`);
}

const NOT_A_BOOL = cannotConvert(STRING, BOOL);
const NOT_A_DOUBLE = cannotConvert(STRING, DOUBLE);
const NOT_A_DURATION = cannotConvert(STRING, DURATION);
const NOT_A_TIMESTAMP = cannotConvert(STRING, TIMESTAMP);
const NOT_AN_INT = cannotConvert(STRING, INT);
const NOT_A_UINT = cannotConvert(STRING, UINT);

const identity = <V extends CelValue>(value: V): V => value;
const walk = { cost: (value: CelValue): number => walkCost(sizeOf(value)) };

const TRUE_WORDS = new Set(['1', 't', 'T', 'true', 'True', 'TRUE']);
const FALSE_WORDS = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE']);

function boolFromString(text: string): CelValue {
  if (TRUE_WORDS.has(text)) return true;
  return FALSE_WORDS.has(text) ? false : NOT_A_BOOL;
}

/** More digits than any 64-bit number has: no need to make a bigint of them. */
const MAX_DIGITS = 40;

function integerFromString(text: string, pattern: RegExp): bigint | undefined {
  return text.length <= MAX_DIGITS && pattern.test(text)
    ? BigInt(text.replace('+', ''))
    : undefined;
}

function intFromString(text: string): CelValue {
  const value = integerFromString(text, /^[+-]?\d+$/);
  return value === undefined || value < INT64_MIN || value > INT64_MAX ? NOT_AN_INT : intOf(value);
}

function uintFromString(text: string): CelValue {
  const value = integerFromString(text, /^\d+$/);
  return value === undefined || value > UINT64_MAX ? NOT_A_UINT : new CelUint(value);
}

function uintFromDouble(value: number): CelValue {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) return UINT_OVERFLOW;
  return new CelUint(BigInt(Math.trunc(value)));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function stringFromBytes(bytes: CelBytes): CelValue {
  try {
    return utf8.decode(bytes.value);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function durationFromString(text: string): CelValue {
  const nanoseconds = parseDuration(text);
  return nanoseconds === undefined ? NOT_A_DURATION : new CelDuration(nanoseconds);
}

/** Conversions between types, and `type` and `dyn`. */
export const CONVERSIONS: readonly FunctionDeclaration[] = [
  declareFunction(
    'bool',
    globalOverload('bool_to_bool', [BOOL], BOOL, identity),
    globalOverload('string_to_bool', [STRING], BOOL, boolFromString),
  ),
  declareFunction(
    'bytes',
    globalOverload('bytes_to_bytes', [BYTES], BYTES, identity),
    globalOverload('string_to_bytes', [STRING], BYTES, (s) => new CelBytes(Buffer.from(s)), walk),
  ),
  declareFunction(
    'double',
    globalOverload('double_to_double', [DOUBLE], DOUBLE, identity),
    globalOverload('int64_to_double', [INT], DOUBLE, (i) => new CelDouble(Number(i))),
    globalOverload('string_to_double', [STRING], DOUBLE, (s) => {
      const value = parseDouble(s);
      return value === undefined ? NOT_A_DOUBLE : new CelDouble(value);
    }),
    globalOverload('uint64_to_double', [UINT], DOUBLE, (u) => new CelDouble(Number(u.value))),
  ),
  declareFunction(
    'duration',
    globalOverload('duration_to_duration', [DURATION], DURATION, identity),
    globalOverload('string_to_duration', [STRING], DURATION, durationFromString),
  ),
  declareFunction('dyn', globalOverload('to_dyn', [A], DYN, identity)),
  declareFunction(
    'int',
    globalOverload('int64_to_int64', [INT], INT, identity),
    globalOverload('double_to_int64', [DOUBLE], INT, (d) => intFromDouble(d.value)),
    globalOverload('duration_to_int64', [DURATION], INT, (d) => intOf(d.nanoseconds)),
    globalOverload('string_to_int64', [STRING], INT, intFromString),
    globalOverload('timestamp_to_int64', [TIMESTAMP], INT, (t) =>
      intOf(floorSeconds(t.nanoseconds)),
    ),
    globalOverload('uint64_to_int64', [UINT], INT, (u) =>
      u.value > INT64_MAX ? INT_OVERFLOW : intOf(u.value),
    ),
  ),
  declareFunction(
    'string',
    globalOverload('string_to_string', [STRING], STRING, identity),
    globalOverload('bool_to_string', [BOOL], STRING, String),
    globalOverload('bytes_to_string', [BYTES], STRING, stringFromBytes, walk),
    globalOverload('double_to_string', [DOUBLE], STRING, (d) => formatGeneral(d.value)),
    globalOverload('duration_to_string', [DURATION], STRING, formatDuration),
    globalOverload('int64_to_string', [INT], STRING, String),
    globalOverload('timestamp_to_string', [TIMESTAMP], STRING, formatTimestamp),
    globalOverload('uint64_to_string', [UINT], STRING, (u) => u.value.toString()),
  ),
  declareFunction(
    'timestamp',
    globalOverload('timestamp_to_timestamp', [TIMESTAMP], TIMESTAMP, identity),
    globalOverload('int64_to_timestamp', [INT], TIMESTAMP, (i) => timestampOfSeconds(BigInt(i))),
    globalOverload(
      'string_to_timestamp',
      [STRING],
      TIMESTAMP,
      (s) => parseTimestamp(s) ?? NOT_A_TIMESTAMP,
    ),
  ),
  declareFunction(
    'uint',
    globalOverload('uint64_to_uint64', [UINT], UINT, identity),
    globalOverload('double_to_uint64', [DOUBLE], UINT, (d) => uintFromDouble(d.value)),
    globalOverload('int64_to_uint64', [INT], UINT, (i) =>
      i < 0 ? UINT_OVERFLOW : new CelUint(BigInt(i)),
    ),
    globalOverload('string_to_uint64', [STRING], UINT, uintFromString),
  ),
  declareFunction(
    'type',
    globalOverload('type', [A], typeType(A), (value) => new CelTypeValue(runtimeType(value))),
  ),
];
