import type { CallEstimator } from '../types/call-estimate.ts';
import { Range } from '../types/range.ts';
import { addValues } from '../plan/arithmetic.ts';
import type { Meter } from '../value/meter.ts';
import {
  declareFunction,
  memberOverload,
  meteredMember,
  type FunctionDeclaration,
} from '../types/declaration.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  STRING,
  TIMESTAMP,
  typeParam,
  UINT,
} from '../value/type.ts';
import { compare } from '../value/compare.ts';
import { equal } from '../value/equal.ts';
import { listElements } from '../value/list.ts';
import { STRING_COST } from '../value/size.ts';
import { traversalCost } from '../value/traversal.ts';
import {
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelUint,
  type CelValue,
  isFailure,
} from '../value/value.ts';
import type { Library } from './library.ts';
import type { CelType } from '../value/cel-type.ts';

const A = typeParam('A');

/** Types that have an order, under the names that identify their overloads. */
export const ORDERED_TYPES: readonly [string, CelType][] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];

const SUMMABLE_TYPES: readonly [string, CelType, CelValue][] = [
  ['int', INT, 0],
  ['uint', UINT, new CelUint(0n)],
  ['double', DOUBLE, new CelDouble(0)],
  ['duration', DURATION, new CelDuration(0n)],
];

/** One step per element, and for strings and bytes their length on top. */
const traversalEstimate: CallEstimator = ({ target, sizeOf, elementOf }) => {
  if (target === undefined) return undefined;
  const element = elementOf(target);
  let cost = Range.fixed(1);
  if (element?.type.kind === 'string' || element?.type.kind === 'bytes') {
    cost = cost.add(sizeOf(element).scale(STRING_COST));
  }
  return { cost: sizeOf(target).multiply(cost) };
};

const traversal = {
  cost: (list: CelValue): number => traversalCost(list),
  estimate: traversalEstimate,
};

function isSorted(list: CelList): CelValue {
  let previous: CelValue | undefined;
  for (const value of listElements(list)) {
    if (previous !== undefined) {
      const order = compare(previous, value);
      if (typeof order !== 'number') return order;
      if (order > 0) return false;
    }
    previous = value;
  }
  return true;
}

function sum(list: CelList, zero: CelValue): CelValue {
  let total = zero;
  for (const value of listElements(list)) {
    total = addValues(total, value);
    if (isFailure(total)) return total;
  }
  return total;
}

function extreme(list: CelList, name: 'min' | 'max'): CelValue {
  let best: CelValue | undefined;
  for (const value of listElements(list)) {
    if (best === undefined) {
      best = value;
      continue;
    }
    const order = compare(best, value);
    if (typeof order !== 'number') return order;
    if (name === 'min' ? order > 0 : order < 0) best = value;
  }
  return best ?? new CelError(`${name} called on empty list`);
}

function indexOf(meter: Meter, list: CelList, wanted: CelValue): CelValue {
  for (let i = 0; i < list.length; i++) if (equal(list.at(i), wanted, meter) === true) return i;
  return -1;
}

function lastIndexOf(meter: Meter, list: CelList, wanted: CelValue): CelValue {
  for (let i = list.length - 1; i >= 0; i--) {
    if (equal(list.at(i), wanted, meter) === true) return i;
  }
  return -1;
}

function includes(meter: Meter, target: CelValue, wanted: CelValue): CelValue {
  if (target instanceof CelList) return indexOf(meter, target, wanted) !== -1;
  return equal(target, wanted, meter);
}

const LIST = listType(A);

const FUNCTIONS: readonly FunctionDeclaration[] = [
  declareFunction(
    'isSorted',
    ...ORDERED_TYPES.map(([name, type]) =>
      memberOverload(`list_${name}_is_sorted_bool`, [listType(type)], BOOL, isSorted, traversal),
    ),
  ),
  declareFunction(
    'sum',
    ...SUMMABLE_TYPES.map(([name, type, zero]) =>
      memberOverload(
        `list_${name}_sum_${name}`,
        [listType(type)],
        type,
        (list) => sum(list, zero),
        traversal,
      ),
    ),
  ),
  ...(['max', 'min'] as const).map((extremum) =>
    declareFunction(
      extremum,
      ...ORDERED_TYPES.map(([name, type]) =>
        memberOverload(
          `list_${name}_${extremum}_${name}`,
          [listType(type)],
          type,
          (list) => extreme(list, extremum),
          traversal,
        ),
      ),
    ),
  ),
  declareFunction(
    'indexOf',
    meteredMember('list_a_index_of_int', [LIST, A], INT, indexOf, traversal),
  ),
  declareFunction(
    'lastIndexOf',
    meteredMember('list_a_last_index_of_int', [LIST, A], INT, lastIndexOf, traversal),
  ),
];

/** Functions of lists as a whole: order, sums, extremes, positions. */
export const LISTS_LIBRARY: Library = { functions: FUNCTIONS };

/** `target.includes(value)`: an element of a list, or the value itself when the target is not a list. */
export const INCLUDES_LIBRARY: Library = {
  functions: [
    declareFunction(
      'includes',
      meteredMember('list_includes_dyn_dyn', [DYN, DYN], BOOL, includes, traversal),
    ),
  ],
};
