import { OP } from '../syntax/ast.ts';
import {
  declareFunction,
  globalOverload,
  type FunctionDeclaration,
  type Overload,
} from '../types/declaration.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listType,
  mapType,
  STRING,
  TIMESTAMP,
  typeParam,
  UINT,
} from '../value/type.ts';
import { NO_SUCH_OVERLOAD } from '../value/value.ts';
import type { CelType } from '../value/cel-type.ts';

const A = typeParam('A');
const B = typeParam('B');

/** A signature for the checker only: the planner compiles operators itself. */
export function operatorOverload(id: string, args: readonly CelType[], result: CelType): Overload {
  return globalOverload(id, args, result, () => NO_SUCH_OVERLOAD);
}

const NUMBERS: readonly [string, CelType][] = [
  ['int64', INT],
  ['uint64', UINT],
  ['double', DOUBLE],
];
const OTHER_ORDERED: readonly [string, CelType][] = [
  ['bool', BOOL],
  ['string', STRING],
  ['bytes', BYTES],
  ['timestamp', TIMESTAMP],
  ['duration', DURATION],
];

/** An order is declared within each type and between any two kinds of number. */
function order(name: string, id: string): FunctionDeclaration {
  const numbers = NUMBERS.flatMap(([left, leftType]) =>
    NUMBERS.map(([right, rightType]) =>
      operatorOverload(
        left === right ? `${id}_${left}` : `${id}_${left}_${right}`,
        [leftType, rightType],
        BOOL,
      ),
    ),
  );
  const others = OTHER_ORDERED.map(([kind, type]) =>
    operatorOverload(`${id}_${kind}`, [type, type], BOOL),
  );
  return declareFunction(name, ...numbers, ...others);
}

function arithmetic(
  name: string,
  id: string,
  types: readonly [string, CelType][],
  ...others: Overload[]
): FunctionDeclaration {
  const own = types.map(([kind, type]) => operatorOverload(`${id}_${kind}`, [type, type], type));
  return declareFunction(name, ...own, ...others);
}

const INTEGERS = NUMBERS.slice(0, 2);

/** The operators of the language definition. */
export const OPERATORS: readonly FunctionDeclaration[] = [
  declareFunction(OP.conditional, operatorOverload('conditional', [BOOL, A, A], A)),
  declareFunction(OP.and, operatorOverload('logical_and', [BOOL, BOOL], BOOL)),
  declareFunction(OP.or, operatorOverload('logical_or', [BOOL, BOOL], BOOL)),
  declareFunction(OP.not, operatorOverload('logical_not', [BOOL], BOOL)),
  declareFunction(OP.notStrictlyFalse, operatorOverload('not_strictly_false', [BOOL], BOOL)),
  declareFunction(OP.equals, operatorOverload('equals', [A, A], BOOL)),
  declareFunction(OP.notEquals, operatorOverload('not_equals', [A, A], BOOL)),
  order(OP.less, 'less'),
  order(OP.lessEquals, 'less_equals'),
  order(OP.greater, 'greater'),
  order(OP.greaterEquals, 'greater_equals'),
  arithmetic(
    OP.add,
    'add',
    [...NUMBERS, ['string', STRING], ['bytes', BYTES]],
    operatorOverload('add_list', [listType(A), listType(A)], listType(A)),
    operatorOverload('add_duration_duration', [DURATION, DURATION], DURATION),
    operatorOverload('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP),
    operatorOverload('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
  ),
  arithmetic(
    OP.subtract,
    'subtract',
    NUMBERS,
    operatorOverload('subtract_duration_duration', [DURATION, DURATION], DURATION),
    operatorOverload('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
    operatorOverload('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION),
  ),
  arithmetic(OP.multiply, 'multiply', NUMBERS),
  arithmetic(OP.divide, 'divide', NUMBERS),
  arithmetic(OP.modulo, 'modulo', INTEGERS),
  declareFunction(
    OP.negate,
    operatorOverload('negate_int64', [INT], INT),
    operatorOverload('negate_double', [DOUBLE], DOUBLE),
  ),
  declareFunction(
    OP.index,
    operatorOverload('index_list', [listType(A), INT], A),
    operatorOverload('index_map', [mapType(A, B), A], B),
  ),
  declareFunction(
    OP.in,
    operatorOverload('in_list', [A, listType(A)], BOOL),
    operatorOverload('in_map', [A, mapType(A, B)], BOOL),
  ),
];
