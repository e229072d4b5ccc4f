import type { CelType, TypeKind } from './cel-type.ts';
import type { CelInt } from './int.ts';
import type {
  CelBytes,
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  CelValue,
} from './value.ts';

declare const VALUE: unique symbol;

/** A type together with the TypeScript type of its values, which declarations of functions use. */
export type Typed<V extends CelValue> = CelType & { readonly [VALUE]?: V };

/** TypeScript types of the values of a tuple of types. */
export type ValuesOf<Types extends readonly CelType[]> = {
  [K in keyof Types]: Types[K] extends { readonly [VALUE]?: infer V extends CelValue }
    ? V
    : CelValue;
};

function simple(kind: TypeKind, name: string = kind): CelType {
  return { kind, name, params: [], size: 1, open: kind === 'param' };
}

export const DYN: Typed<CelValue> = simple('dyn');
export const ANY: Typed<CelValue> = simple('any', 'google.protobuf.Any');
export const ERROR: CelType = simple('error');
export const NULL: Typed<null> = simple('null', 'null_type');
export const BOOL: Typed<boolean> = simple('bool');
export const INT: Typed<CelInt> = simple('int');
export const UINT: Typed<CelUint> = simple('uint');
export const DOUBLE: Typed<CelDouble> = simple('double');
export const STRING: Typed<string> = simple('string');
export const BYTES: Typed<CelBytes> = simple('bytes');
export const TIMESTAMP: Typed<CelTimestamp> = simple('timestamp', 'google.protobuf.Timestamp');
export const DURATION: Typed<CelDuration> = simple('duration', 'google.protobuf.Duration');
export const TYPE: Typed<CelTypeValue> = simple('type');

/** Name of the type of optional values. */
export const OPTIONAL_NAME = 'optional_type';

function compound(kind: TypeKind, name: string, params: readonly CelType[]): CelType {
  let size = 1;
  let open = false;
  for (const param of params) {
    size += param.size;
    open ||= param.open;
  }
  return { kind, name, params, size, open };
}

/** `list(element)`. */
export function listType(element: CelType): Typed<CelList> {
  return compound('list', 'list', [element]);
}

/** `map(key, value)`. */
export function mapType(key: CelType, value: CelType): Typed<CelMap> {
  return compound('map', 'map', [key, value]);
}

/** The type of a value that is itself the type `of`. */
export function typeType(of: CelType): Typed<CelTypeValue> {
  return compound('type', 'type', [of]);
}

/** `optional_type(of)`, an opaque type by that name. */
export function optionalType(of: CelType): Typed<CelOptional> {
  return compound('opaque', OPTIONAL_NAME, [of]);
}

/** A library's own type: values have no fields, only functions. */
export function opaqueType<V extends CelValue>(name: string, ...params: CelType[]): Typed<V> {
  return compound('opaque', name, params);
}

/** An object with named fields; `field` gives the type of a field, undefined if it has none. */
export function structType<V extends CelValue>(
  name: string,
  field?: (name: string) => CelType | undefined,
): Typed<V> {
  return field === undefined ? simple('struct', name) : { ...simple('struct', name), field };
}

/** A type parameter of a function declaration, or a variable of the checker. */
export function typeParam(name: string): Typed<CelValue> {
  return simple('param', name);
}

/** The type of a wrapper: also null. */
export function nullableType(of: CelType): CelType {
  return { ...of, nullable: true };
}

/** List and map of anything, as the names `list` and `map` denote them. */
export const LIST = listType(typeParam('A'));
export const MAP = mapType(typeParam('A'), typeParam('B'));

/** Whether the checker leaves the type to run time. */
export function isDyn(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

/** As {@link isDyn}, or the type of an expression whose error is reported already. */
export function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any' || type.kind === 'error';
}

/** By its name: optionals are a library's type. */
export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === OPTIONAL_NAME;
}

/** The type inside an optional, or the type itself when it is none. */
export function unwrapOptional(type: CelType): CelType {
  return isOptional(type) ? parameter(type, 0) : type;
}

/** A type parameter by position; `dyn` where the type was written without one. */
export function parameter(type: CelType, index: number): CelType {
  return type.params[index] ?? DYN;
}

/** Equal in every part, without unification: a parameter equals itself only. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.size !== b.size) return false;
  if (a.params.length !== b.params.length) return false;
  return a.params.every((param, i) => sameType(param, parameter(b, i)));
}

/** The type as error messages print it: `map(string, list(int))`. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'any':
    case 'null':
    case 'timestamp':
    case 'duration':
      return type.kind;
    case 'error':
      return '!error!';
    case 'function':
      return `(${type.params.slice(1).map(formatType).join(', ')}) -> ${formatType(parameter(type, 0))}`;
    default: {
      if (type.nullable === true) return `wrapper(${type.name})`;
      if (type.params.length === 0) return type.name;
      return `${type.name}(${type.params.map(formatType).join(', ')})`;
    }
  }
}

/** Arguments of a call as error messages print them: `(int, string)`, `string.(int)`. */
export function formatArguments(args: readonly CelType[], isMember: boolean): string {
  const formatted = args.map(formatType);
  if (!isMember) return `(${formatted.join(', ')})`;
  return `${formatted[0] ?? ''}.(${formatted.slice(1).join(', ')})`;
}
