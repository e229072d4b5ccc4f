import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  LIST,
  MAP,
  NULL,
  optionalType,
  parameter,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from './type.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './value.ts';
import type { CelType } from './cel-type.ts';

const OPTIONAL = optionalType(DYN);

/** The type a value has at run time: lists and maps do not remember what is in them. */
export function runtimeType(value: CelValue): CelType {
  if (value === null) return NULL;
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
    case 'bigint':
      return INT;
    case 'boolean':
      return BOOL;
    default:
  }
  if (value instanceof CelList) return LIST;
  if (value instanceof CelMap) return value.type ?? MAP;
  if (value instanceof CelDouble) return DOUBLE;
  if (value instanceof CelUint) return UINT;
  if (value instanceof CelBytes) return BYTES;
  if (value instanceof CelTimestamp) return TIMESTAMP;
  if (value instanceof CelDuration) return DURATION;
  if (value instanceof CelOptional) return OPTIONAL;
  if (value instanceof CelTypeValue) return TYPE;
  return value instanceof CelObject ? value.type : ERROR;
}

/** A test whether a value may be passed where a type is declared; undefined when any may. */
export function valueTest(type: CelType): ((value: CelValue) => boolean) | undefined {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
    case 'error':
    case 'function':
      return undefined;
    case 'null':
      return (value) => value === null;
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'int':
      return (value) => typeof value === 'number' || typeof value === 'bigint';
    case 'string':
      return (value) => typeof value === 'string';
    case 'uint':
      return (value) => value instanceof CelUint;
    case 'double':
      return (value) => value instanceof CelDouble;
    case 'bytes':
      return (value) => value instanceof CelBytes;
    case 'timestamp':
      return (value) => value instanceof CelTimestamp;
    case 'duration':
      return (value) => value instanceof CelDuration;
    case 'list':
      return listTest(parameter(type, 0));
    case 'map':
      return (value) => value instanceof CelMap;
    case 'type':
      return (value) => value instanceof CelTypeValue;
    case 'struct':
    case 'opaque':
      return (value) => runtimeType(value).name === type.name;
  }
}

/** The first element tells lists of scalars apart, which is enough for lists that are not mixed. */
function listTest(element: CelType): (value: CelValue) => boolean {
  const test = element.kind === 'list' ? undefined : valueTest(element);
  if (test === undefined) return (value) => value instanceof CelList;
  return (value) => value instanceof CelList && (value.length === 0 || test(value.at(0)));
}
