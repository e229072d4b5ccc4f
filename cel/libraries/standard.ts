import { STANDARD_MACROS } from '../syntax/standard-macros.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  LIST,
  MAP,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  typeType,
  UINT,
} from '../value/type.ts';
import { typeConstant, type Library } from './library.ts';
import { CONVERSIONS } from './standard-conversions.ts';
import { STRING_FUNCTIONS } from './standard-functions.ts';
import { OPERATORS } from './standard-operators.ts';
import { TIME_FUNCTIONS } from './standard-time.ts';

const TYPES = [BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, STRING, TIMESTAMP, TYPE, UINT];

/** What every environment has: the language definition. */
export const STANDARD_LIBRARY: Library = {
  functions: [...OPERATORS, ...CONVERSIONS, ...STRING_FUNCTIONS, ...TIME_FUNCTIONS],
  macros: STANDARD_MACROS,
  constants: TYPES.map((type) => typeConstant(type.name, type, typeType(type))),
};
