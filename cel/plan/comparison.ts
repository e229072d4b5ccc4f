import { type MapKey, mapKey } from '../value/map.ts';
import { compare, compareStrings } from '../value/compare.ts';
import { equal } from '../value/equal.ts';
import { listElements } from '../value/list.ts';
import { comparisonCost } from '../value/size.ts';
import {
  CelBytes,
  CelDouble,
  CelList,
  CelMap,
  type CelValue,
  type Failure,
  firstFailure,
  isFailure,
  NO_SUCH_OVERLOAD,
} from '../value/value.ts';
import type { Frame } from './frame.ts';
import { constantPlan, isConstant, type Plan } from './plan.ts';

/** Whether an order of two values is what the operator asks for. */
type Test = (order: number) => boolean;

/** `<`, `<=`, `>` and `>=`. Ints in both places, the common case, are compared at once. */
export function planOrder(left: Plan, right: Plan, test: Test): Plan {
  const l = left.run;
  const r = right.run;
  const cost = left.cost + right.cost + 1;
  if (typeof right.constant === 'number') {
    const limit = right.constant;
    return {
      cost,
      run: (frame) => {
        const a = l(frame);
        return typeof a === 'number' ? test(a - limit) : orderOther(frame, a, limit, test);
      },
    };
  }
  return {
    cost,
    run: (frame) => {
      const a = l(frame);
      const b = r(frame);
      if (typeof a === 'number' && typeof b === 'number') return test(a - b);
      return orderOther(frame, a, b, test);
    },
  };
}

function orderOther(frame: Frame, a: CelValue, b: CelValue, test: Test): CelValue {
  if (typeof a === 'string' && typeof b === 'string') {
    frame.charge(comparisonCost(a, b) - 1);
    return test(compareStrings(a, b));
  }
  if (a instanceof CelBytes && b instanceof CelBytes) frame.charge(comparisonCost(a, b) - 1);
  const failure = firstFailure([a, b]);
  if (failure !== undefined) return failure;
  const order = compare(a, b);
  return typeof order === 'number' ? test(order) : order;
}

/** `==` and `!=` between any two values. */
export function planEquality(left: Plan, right: Plan, wanted: boolean): Plan {
  const l = left.run;
  const r = right.run;
  return {
    cost: left.cost + right.cost + 1,
    run: (frame) => {
      const a = l(frame);
      const b = r(frame);
      if (typeof a === 'number' && typeof b === 'number') return (a === b) === wanted;
      if (typeof a === 'string' && typeof b === 'string') {
        frame.charge(comparisonCost(a, b) - 1);
        return (a === b) === wanted;
      }
      const same = equalCharged(frame, a, b);
      return typeof same === 'boolean' ? same === wanted : same;
    },
  };
}

/** Equality, charged by the size of the values beyond the one step that is paid already. */
function equalCharged(frame: Frame, a: CelValue, b: CelValue): boolean | Failure {
  if (isFailure(a)) return a;
  if (isFailure(b)) return b;
  frame.charge(comparisonCost(a, b) - 1);
  return equal(a, b, frame);
}

/** `element in collection`: an element of a list, or a key of a map. */
export function planIn(element: Plan, collection: Plan): Plan {
  if (isConstant(collection) && collection.constant instanceof CelList) {
    const set = constantSet(collection.constant);
    if (set !== undefined) return planInSet(element, set);
  }
  const l = element.run;
  const r = collection.run;
  return {
    cost: element.cost + collection.cost,
    run: (frame) => {
      const value = l(frame);
      const target = r(frame);
      if (isFailure(value)) return value;
      if (target instanceof CelList) {
        frame.charge(target.length);
        return isElement(frame, value, target);
      }
      if (isFailure(target)) return target;
      frame.charge(1);
      return target instanceof CelMap ? isKey(value, target) : NO_SUCH_OVERLOAD;
    },
  };
}

function isElement(frame: Frame, value: CelValue, list: CelList): boolean {
  for (let i = 0; i < list.length; i++) {
    if (equal(value, list.at(i), frame) === true) return true;
  }
  return false;
}

function isKey(value: CelValue, map: CelMap): CelValue {
  const found = map.get(value);
  return found !== undefined && isFailure(found) ? found : found !== undefined;
}

/** Look-up keys of a list of primitives; undefined when it holds anything else. */
function constantSet(list: CelList): ReadonlySet<MapKey | number> | undefined {
  const set = new Set<MapKey>();
  for (const value of listElements(list)) {
    const key = setKey(value);
    if (key === undefined) return undefined;
    set.add(key);
  }
  return set;
}

/** Like a map's key, except that a double with a fraction stands for itself. */
function setKey(value: CelValue): MapKey | undefined {
  return mapKey(value) ?? (value instanceof CelDouble ? value.value : undefined);
}

/** Membership in a constant list of primitives is a look-up, and free. */
function planInSet(element: Plan, set: ReadonlySet<MapKey>): Plan {
  if (set.size === 0) return constantPlan(false);
  const { run } = element;
  return {
    cost: element.cost,
    run: (frame) => {
      const value = run(frame);
      if (typeof value === 'string') return set.has(value);
      if (isFailure(value)) return value;
      const key = setKey(value);
      return key !== undefined && !isNaNDouble(value) && set.has(key);
    },
  };
}

function isNaNDouble(value: CelValue): boolean {
  return value instanceof CelDouble && Number.isNaN(value.value);
}
