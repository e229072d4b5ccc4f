import { OP, UNUSED_VARIABLE, type Expr } from '../syntax/ast.ts';
import { argument, MacroError, macroTarget, type Macro, type MacroCall } from '../syntax/macro.ts';
import {
  declareFunction,
  globalOverload,
  memberOverload,
  meteredGlobal,
  type FunctionDeclaration,
} from '../types/declaration.ts';
import {
  BOOL,
  DYN,
  INT,
  listType,
  mapType,
  opaqueType,
  OPTIONAL_NAME,
  optionalType,
  STRING,
  typeParam,
  typeType,
} from '../value/type.ts';
import { ArrayList, listElements } from '../value/list.ts';
import { keyWork } from '../value/map.ts';
import { describe } from '../value/describe.ts';
import { FIRST_NANOSECOND } from '../value/timestamp.ts';
import { runtimeType } from '../value/type-of.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
} from '../value/value.ts';
import { typeConstant, type Library } from './library.ts';
import { operatorOverload } from './standard-operators.ts';

const V = typeParam('V');
const K = typeParam('K');
const OPTIONAL = optionalType(V);
const LIST = listType(V);
const MAP = mapType(K, V);

/** Whether a value is the zero of its type, as an unset field would read. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (value instanceof CelDouble) return value.value === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  if (value instanceof CelTimestamp) return value.nanoseconds === FIRST_NANOSECOND;
  if (value instanceof CelBytes) return value.value.length === 0;
  if (value instanceof CelList) return value.length === 0;
  return value instanceof CelMap && value.size === 0 && runtimeType(value).kind === 'map';
}

function unwrap(list: CelList): CelValue {
  const values: CelValue[] = [];
  for (const item of listElements(list)) {
    if (!(item instanceof CelOptional))
      return new CelError(`value ${describe(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return new ArrayList(values);
}

/** One step in ten elements: cheap for lists that people write, and never free for others. */
const perElement = { cost: (list: CelList): number => 1 + Math.trunc(list.length / 10) };

const at = (list: CelList, index: number): CelValue =>
  list.length === 0 ? CelOptional.none : CelOptional.of(list.at(index));

const FUNCTIONS: readonly FunctionDeclaration[] = [
  declareFunction(
    'optional.of',
    globalOverload('optional_of', [V], OPTIONAL, (value) => CelOptional.of(value)),
  ),
  declareFunction(
    'optional.ofNonZeroValue',
    meteredGlobal('optional_ofNonZeroValue', [V], OPTIONAL, (meter, value) => {
      if (value instanceof CelMap) meter.work(keyWork(value.size));
      return isZero(value) ? CelOptional.none : CelOptional.of(value);
    }),
  ),
  declareFunction(
    'optional.none',
    globalOverload('optional_none', [], OPTIONAL, () => CelOptional.none),
  ),
  declareFunction(
    'value',
    memberOverload('optional_value', [OPTIONAL], V, (optional) =>
      optional.value === undefined ? new CelError('optional.none() dereference') : optional.value,
    ),
  ),
  declareFunction(
    'hasValue',
    memberOverload('optional_hasValue', [OPTIONAL], BOOL, ({ value }) => value !== undefined),
  ),
  // Both are compiled so that their argument is only computed when it is needed.
  declareFunction(
    'or',
    memberOverload('optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL, (a, b) =>
      a.value === undefined ? b : a,
    ),
  ),
  declareFunction(
    'orValue',
    memberOverload('optional_orValue_value', [OPTIONAL, V], V, (optional, value) =>
      optional.value === undefined ? value : optional.value,
    ),
  ),
  declareFunction(OP.optSelect, operatorOverload('select_optional_field', [DYN, STRING], OPTIONAL)),
  declareFunction(
    OP.optIndex,
    operatorOverload('list_optindex_optional_int', [LIST, INT], OPTIONAL),
    operatorOverload('optional_list_optindex_optional_int', [optionalType(LIST), INT], OPTIONAL),
    operatorOverload('map_optindex_optional_value', [MAP, K], OPTIONAL),
    operatorOverload('optional_map_optindex_optional_value', [optionalType(MAP), K], OPTIONAL),
  ),
  declareFunction(
    OP.index,
    operatorOverload('optional_list_index_int', [optionalType(LIST), INT], OPTIONAL),
    operatorOverload('optional_map_index_value', [optionalType(MAP), K], OPTIONAL),
  ),
  declareFunction(
    'first',
    memberOverload('list_first', [LIST], OPTIONAL, (list) => at(list, 0)),
  ),
  declareFunction(
    'last',
    memberOverload('list_last', [LIST], OPTIONAL, (list) => at(list, list.length - 1)),
  ),
  declareFunction(
    'optional.unwrap',
    globalOverload('optional_unwrap', [listType(OPTIONAL)], LIST, unwrap, perElement),
  ),
  declareFunction(
    'unwrapOpt',
    memberOverload('optional_unwrapOpt', [listType(OPTIONAL)], LIST, unwrap, perElement),
  ),
];

/** `target.optMap(v, body)`: the body with `v` bound to the value, if there is one. */
function optionalMacro(name: string, wrap: boolean): Macro {
  return {
    name,
    argCount: 2,
    receiver: true,
    expand: (call) => {
      const { builder: b, offset: at } = call;
      const variable = argument(call, 0);
      if (variable.kind !== 'ident') {
        throw new MacroError(variable, `${name}() variable name must be a simple identifier`);
      }
      const body = bindValue(call, variable.name);
      return b.call(
        at,
        OP.conditional,
        b.memberCall(at, 'hasValue', macroTarget(call)),
        wrap ? b.call(at, 'optional.of', body) : body,
        b.call(at, 'optional.none'),
      );
    },
  };
}

function bindValue(call: MacroCall, variable: string): Expr {
  const { builder: b, offset: at } = call;
  return b.fold(at, {
    range: b.list(at, []),
    variable: UNUSED_VARIABLE,
    variable2: undefined,
    accumulator: variable,
    init: b.memberCall(at, 'value', b.copy(macroTarget(call))),
    condition: b.constant(at, false),
    step: b.ident(at, variable),
    result: argument(call, 1),
  });
}

/** Optional values and the syntax that makes them. */
export const OPTIONALS_LIBRARY: Library = {
  functions: FUNCTIONS,
  macros: [optionalMacro('optMap', true), optionalMacro('optFlatMap', false)],
  constants: [typeConstant('optional_type', optionalType(V), typeType(opaqueType(OPTIONAL_NAME)))],
  optionalSyntax: true,
};
