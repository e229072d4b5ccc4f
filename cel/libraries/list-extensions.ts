import { UNUSED_VARIABLE, type Expr } from '../syntax/ast.ts';
import type { CallEstimate, CallEstimator, CallSite } from '../types/call-estimate.ts';
import { literalArgument } from '../cost/estimators.ts';
import { MAX_COST, Range } from '../types/range.ts';
import { MacroError, macroTarget, type Macro, type MacroCall } from '../syntax/macro.ts';
import { expandMap } from '../syntax/standard-macros.ts';
import {
  declareFunction,
  globalOverload,
  memberOverload,
  meteredMember,
  type FunctionDeclaration,
} from '../types/declaration.ts';
import type { Meter } from '../value/meter.ts';
import { DYN, INT, listType, typeParam } from '../value/type.ts';
import { compare } from '../value/compare.ts';
import { equal } from '../value/equal.ts';
import type { CelInt } from '../value/int.ts';
import { ArrayList, listElements } from '../value/list.ts';
import { STRING_COST } from '../value/size.ts';
import { runtimeType } from '../value/type-of.ts';
import { CelBytes, CelError, CelList, type CelValue } from '../value/value.ts';
import type { Library } from './library.ts';
import { ORDERED_TYPES } from './lists.ts';
import type { CelType } from '../value/cel-type.ts';

const T = typeParam('T');
const LIST = listType(T);

/** Every call that makes a list costs these steps besides what it puts into it. */
const ALLOCATION = 11;

/** Work of keeping one element, and of entering a list inside a list. */
const ELEMENT_WORK = 15;
const LIST_WORK = 30;

function slice(list: CelList, start: CelInt, end: CelInt): CelValue {
  const range = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) return new CelError(`${range}, negative indexes not supported`);
  if (start > end) {
    return new CelError(`${range}, start index must be less than or equal to end index`);
  }
  if (list.length < end) return new CelError(`${range}, list is length ${list.length}`);
  const from = Number(start);
  return new ArrayList(Array.from({ length: Number(end) - from }, (_, i) => list.at(from + i)));
}

function flatten(meter: Meter, list: CelList, depth: CelInt = 1): CelValue {
  if (depth < 0) return new CelError('level must be non-negative');
  const flat: CelValue[] = [];
  const add = (from: CelList, levels: number): void => {
    for (let i = 0; i < from.length; i++) {
      const value = from.at(i);
      if (levels > 0 && value instanceof CelList) {
        meter.work(LIST_WORK);
        add(value, levels - 1);
      } else {
        meter.work(ELEMENT_WORK);
        flat.push(value);
      }
    }
  };
  add(list, Number(depth));
  return new ArrayList(flat);
}

/** Elements in the order of their keys, which must all be of one type that has an order. */
function sortBy(meter: Meter, list: CelList, keys: CelList): CelValue {
  if (list.length !== keys.length) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    );
  }
  const [first] = listElements(keys);
  if (first === undefined) return list;
  const kind = runtimeType(first).name;
  if (listElements(keys).some((key) => runtimeType(key).name !== kind)) {
    return new CelError('list elements must have the same type');
  }
  if (typeof compare(first, first) !== 'number') {
    return new CelError('list elements must be comparable');
  }
  const rounds = Math.ceil(Math.log2(keys.length + 1));
  for (const key of listElements(keys)) {
    if (typeof key === 'string') for (let i = 0; i < rounds; i++) meter.inspect(key);
  }
  const order = Array.from({ length: list.length }, (_, i) => i);
  order.sort((i, j) => {
    const difference = compare(keys.at(i), keys.at(j));
    return typeof difference === 'number' ? difference : 0;
  });
  return new ArrayList(order.map((i) => list.at(i)));
}

function distinct(meter: Meter, list: CelList): CelValue {
  const unique: CelValue[] = [];
  for (const value of listElements(list)) {
    if (!unique.some((seen) => equal(value, seen, meter) === true)) unique.push(value);
  }
  return new ArrayList(unique);
}

function range(count: CelInt): CelValue {
  return new ArrayList(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => i));
}

function reverse(list: CelList): CelValue {
  return new ArrayList([...listElements(list)].reverse());
}

/** Comparing every element with every other, and strings by their length. */
function selfCompareCost(list: CelList): number {
  const first = list.length === 0 ? undefined : list.at(0);
  const factor = typeof first === 'string' || first instanceof CelBytes ? 2 + STRING_COST : 2;
  return Math.trunc(list.length * list.length * factor) + ALLOCATION;
}

function allocating(size: Range, factor: number): CallEstimate {
  return { cost: size.scale(factor).add(Range.fixed(ALLOCATION)), size };
}

/** Literal bounds that cross give a length that wraps around, as in kube-apiserver. */
const sliceEstimate: CallEstimator = ({ target, args, sizeOf }) => {
  if (target === undefined) return undefined;
  const { max } = sizeOf(target);
  const length = literalArgument(args[1], max) - literalArgument(args[0], 0n);
  return allocating(Range.fixed(BigInt.asUintN(64, length)), 1);
};

const flattenEstimate: CallEstimator = ({ target, args, sizeOf }) => {
  if (target === undefined) return undefined;
  const depth = args.length === 0 ? 1n : literalArgument(args[0], MAX_COST);
  return allocating(sizeOf(target), Number(depth));
};

function compareEstimate(
  call: CallSite,
  operand = call.target,
  factor = 2,
): CallEstimate | undefined {
  if (operand === undefined) return undefined;
  const size = call.sizeOf(operand);
  return allocating(size.multiply(size), factor);
}

function sortFactor(type: CelType): number {
  return type.kind === 'string' || type.kind === 'bytes' ? 2 + STRING_COST : 2;
}

const FUNCTIONS: readonly FunctionDeclaration[] = [
  declareFunction(
    'slice',
    memberOverload('list_slice', [LIST, INT, INT], LIST, slice, {
      cost: (list, start, end) =>
        ALLOCATION + Math.max(0, Math.min(Number(end) - Number(start), list.length)),
      estimate: sliceEstimate,
    }),
  ),
  declareFunction(
    'flatten',
    meteredMember('list_flatten', [listType(LIST)], LIST, (meter, list) => flatten(meter, list), {
      cost: (list) => ALLOCATION + list.length,
      estimate: flattenEstimate,
    }),
    meteredMember('list_flatten_int', [listType(DYN), INT], listType(DYN), flatten, {
      cost: (list, depth) => ALLOCATION + Math.max(0, list.length * Number(depth)),
      estimate: flattenEstimate,
    }),
  ),
  declareFunction(
    'sort',
    ...ORDERED_TYPES.map(([name, type]) =>
      meteredMember(
        `list_${name}_sort`,
        [listType(type)],
        listType(type),
        (meter, list) => sortBy(meter, list, list),
        {
          cost: selfCompareCost,
          estimate: (call) => compareEstimate(call, call.target, sortFactor(type)),
        },
      ),
    ),
  ),
  declareFunction(
    '@sortByAssociatedKeys',
    ...ORDERED_TYPES.map(([name, type]) =>
      meteredMember(`list_${name}_sortByAssociatedKeys`, [LIST, listType(type)], LIST, sortBy, {
        cost: (_list, keys) => selfCompareCost(keys),
        estimate: (call) => compareEstimate(call, call.args[0], sortFactor(type)),
      }),
    ),
  ),
  declareFunction(
    'lists.range',
    globalOverload('lists_range', [INT], listType(INT), range, {
      cost: (count) => ALLOCATION + Math.max(0, Number(count)),
      estimate: ({ args }) => allocating(Range.fixed(literalArgument(args[0], MAX_COST)), 1),
    }),
  ),
  declareFunction(
    'reverse',
    memberOverload('list_reverse', [LIST], LIST, reverse, {
      cost: (list) => ALLOCATION + list.length,
      estimate: ({ target, sizeOf }) =>
        target === undefined ? undefined : allocating(sizeOf(target), 1),
    }),
  ),
  declareFunction(
    'distinct',
    meteredMember('list_distinct', [LIST], LIST, distinct, {
      cost: selfCompareCost,
      estimate: (call) => compareEstimate(call),
    }),
  ),
];

const SORT_INPUT = '@__sortBy_input__';
const SORTABLE: ReadonlySet<Expr['kind']> = new Set<Expr['kind']>([
  'list',
  'select',
  'ident',
  'comprehension',
  'call',
]);

/** `list.sortBy(x, key)`: the keys are computed once for every element. */
const SORT_BY: Macro = {
  name: 'sortBy',
  argCount: 2,
  receiver: true,
  expand: (call: MacroCall) => {
    const { builder: b, offset: at } = call;
    const target = macroTarget(call);
    if (!SORTABLE.has(target.kind)) {
      throw new MacroError(
        target,
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
      );
    }
    const input = (): Expr => b.ident(at, SORT_INPUT);
    const keys = expandMap({ ...call, target: input() });
    return b.fold(at, {
      range: b.list(at, []),
      variable: UNUSED_VARIABLE,
      variable2: undefined,
      accumulator: SORT_INPUT,
      init: target,
      condition: b.constant(at, false),
      step: input(),
      result: b.memberCall(at, '@sortByAssociatedKeys', input(), keys),
    });
  },
};

/** Functions that make lists from lists, version 3 of the extension. */
export const LIST_EXTENSIONS_LIBRARY: Library = { functions: FUNCTIONS, macros: [SORT_BY] };
