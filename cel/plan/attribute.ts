import { describe } from '../value/describe.ts';
import { runtimeType } from '../value/type-of.ts';
import { formatType } from '../value/type.ts';
import {
  CelDouble,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelUint,
  type CelValue,
  isFailure,
} from '../value/value.ts';
import type { Frame } from './frame.ts';
import { chainCost, costWithoutLookup, type Plan, type Run } from './plan.ts';

/** A field or key by its name in the expression: `operand.name`. */
export function planSelect(operand: Plan, name: string): Plan {
  const { run, slot } = operand;
  const missing = new CelError(`no such key: ${name}`);
  const select = (frame: Frame, value: CelValue): CelValue => {
    if (value instanceof CelMap) return value.get(name) ?? missing;
    return value instanceof CelOptional
      ? inOptional(frame, value, name)
      : elementOrError(value, name);
  };
  return {
    cost: chainCost(operand) + 1,
    lookup: operand.lookup ?? 1,
    run:
      slot === undefined
        ? (frame) => select(frame, run(frame))
        : (frame) => select(frame, frame.slots[slot] as CelValue),
  };
}

/** `has(operand.name)`: looking at whether a field is there costs nothing but the way to it. */
export function planHas(operand: Plan, name: string): Plan {
  const { run } = operand;
  return {
    cost: chainCost(operand),
    lookup: 0,
    run: (frame) => {
      const value = run(frame);
      if (value instanceof CelMap) return isPresent(value, name);
      const target = value instanceof CelOptional ? value.value : value;
      if (target === undefined) return false;
      if (target instanceof CelMap) return isPresent(target, name);
      return isFailure(target) ? target : false;
    },
  };
}

function isPresent(map: CelMap, name: string): CelValue {
  const found = map.get(name);
  return found !== undefined && isFailure(found) ? found : found !== undefined;
}

/** `operand.?name` and `operand[?index]`: an optional, which is empty when the element does not exist. */
export function planOptionalIndex(operand: Plan, index: Plan): Plan {
  return planIndexing(operand, index, (frame, value, key) =>
    inOptional(frame, value instanceof CelOptional ? value : CelOptional.of(value), key),
  );
}

/** `operand[index]`. */
export function planIndex(operand: Plan, index: Plan): Plan {
  return planIndexing(operand, index, (frame, value, key) => {
    if (value instanceof CelList && typeof key === 'number' && key >= 0 && key < value.length) {
      return value.at(key);
    }
    return value instanceof CelOptional
      ? inOptional(frame, value, key)
      : elementOrError(value, key);
  });
}

function planIndexing(
  operand: Plan,
  index: Plan,
  element: (frame: Frame, value: CelValue, key: CelValue) => CelValue,
): Plan {
  const { run } = operand;
  const key: Run = index.run;
  return {
    cost: chainCost(operand) + costWithoutLookup(index) + 1,
    lookup: operand.lookup ?? 1,
    run: (frame) => {
      const value = run(frame);
      if (isFailure(value)) return value;
      const at = key(frame);
      return isFailure(at) ? at : element(frame, value, at);
    },
  };
}

/** The element of what is inside an optional, again as an optional. Only one that is there costs a step. */
function inOptional(frame: Frame, optional: CelOptional, key: CelValue): CelValue {
  const found = optional.value === undefined ? undefined : element(optional.value, key);
  if (found === undefined) {
    frame.refund(1);
    return CelOptional.none;
  }
  return isFailure(found) ? found : CelOptional.of(found);
}

function elementOrError(value: CelValue, key: CelValue): CelValue {
  const found = element(value, key);
  if (found !== undefined) return found;
  const what = value instanceof CelList ? 'index out of bounds' : 'no such key';
  return new CelError(`${what}: ${describe(key)}`);
}

/** The element at a key or index; undefined when there is none, an error for a key of a wrong type. */
function element(value: CelValue, key: CelValue): CelValue | undefined {
  if (value instanceof CelMap) return value.get(key);
  if (value instanceof CelList) {
    const index = listIndex(key);
    if (index instanceof CelError) return index;
    return index >= 0 && index < value.length ? value.at(index) : undefined;
  }
  return isFailure(value) ? value : undefined;
}

/** An index from any number that is a whole one. */
function listIndex(key: CelValue): number | CelError {
  if (typeof key === 'number') return key;
  if (typeof key === 'bigint') return -1;
  if (key instanceof CelUint) return Number(key.value);
  if (key instanceof CelDouble) {
    if (Number.isInteger(key.value)) return key.value;
    return new CelError(`unsupported index value ${describe(key)} in list`);
  }
  return new CelError(`unsupported index type '${formatType(runtimeType(key))}' in list`);
}
