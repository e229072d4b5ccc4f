import { durationOf } from '../value/duration.ts';
import {
  addInt,
  DIVISION_BY_ZERO,
  divideInt,
  isInt,
  moduloInt,
  MODULUS_BY_ZERO,
  multiplyInt,
  negateInt,
  subtractInt,
  UINT64_MAX,
  UINT_OVERFLOW,
  type CelInt,
} from '../value/int.ts';
import { SEMANTICS_WORK } from '../value/equal.ts';
import { concatLists } from '../value/list.ts';
import { sizeOf, walkCost } from '../value/size.ts';
import { timestampOf } from '../value/timestamp.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelTimestamp,
  CelUint,
  type CelValue,
  noSuchOverload,
} from '../value/value.ts';
import type { Frame } from './frame.ts';
import type { Plan } from './plan.ts';

/** No string or bytes value may become longer, whatever the budget. */
export const MAX_VALUE_LENGTH = 64 * 1024 * 1024;
export const VALUE_TOO_LONG = new CelError('value is too long');

type Binary = (a: CelValue, b: CelValue) => CelValue;
type IntBinary = (a: CelInt, b: CelInt) => CelValue;

/** A binary operator: ints at once, everything else through `other`, which may cost more. */
function planBinary(
  left: Plan,
  right: Plan,
  ints: IntBinary,
  other: (a: CelValue, b: CelValue, frame: Frame) => CelValue,
): Plan {
  const l = left.run;
  const r = right.run;
  return {
    cost: left.cost + right.cost + 1,
    run: (frame) => {
      const a = l(frame);
      const b = r(frame);
      return isInt(a) && isInt(b) ? ints(a, b) : other(a, b, frame);
    },
  };
}

/** `+` on everything that has it. Joining strings, bytes and lists costs by size and is bounded. */
export function planAdd(left: Plan, right: Plan): Plan {
  return planBinary(left, right, addInt, (a, b, frame) => {
    if (typeof a === 'string' && typeof b === 'string') {
      frame.charge(walkCost(sizeOf(a) + sizeOf(b)) - 1);
      return a.length + b.length > MAX_VALUE_LENGTH ? VALUE_TOO_LONG : a + b;
    }
    if (a instanceof CelBytes && b instanceof CelBytes) {
      const size = a.value.length + b.value.length;
      frame.charge(walkCost(size) - 1);
      return size > MAX_VALUE_LENGTH ? VALUE_TOO_LONG : concatBytes(a, b);
    }
    if (a instanceof CelList && b instanceof CelList && a.semantics !== undefined) {
      frame.work(SEMANTICS_WORK * (a.length + b.length));
    }
    return add(a, b);
  });
}

function concatBytes(a: CelBytes, b: CelBytes): CelBytes {
  return new CelBytes(Buffer.concat([a.value, b.value]));
}

/** `+` on anything but ints, strings and bytes. */
const add: Binary = (a, b) => {
  if (a instanceof CelList && b instanceof CelList) return concatLists(a, b);
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value + b.value);
  if (a instanceof CelUint && b instanceof CelUint) return uint(a.value + b.value);
  if (a instanceof CelDuration && b instanceof CelDuration) {
    return durationOf(a.nanoseconds + b.nanoseconds);
  }
  if (a instanceof CelTimestamp && b instanceof CelDuration) return shift(a, b.nanoseconds);
  if (a instanceof CelDuration && b instanceof CelTimestamp) return shift(b, a.nanoseconds);
  return noSuchOverload(a, b);
};

const subtract: Binary = (a, b) => {
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value - b.value);
  if (a instanceof CelUint && b instanceof CelUint) return uint(a.value - b.value);
  if (a instanceof CelDuration && b instanceof CelDuration) {
    return durationOf(a.nanoseconds - b.nanoseconds);
  }
  if (a instanceof CelTimestamp && b instanceof CelDuration) return shift(a, -b.nanoseconds);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) {
    return durationOf(a.nanoseconds - b.nanoseconds);
  }
  return noSuchOverload(a, b);
};

const multiply: Binary = (a, b) => {
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value * b.value);
  if (a instanceof CelUint && b instanceof CelUint) return uint(a.value * b.value);
  return noSuchOverload(a, b);
};

const divide: Binary = (a, b) => {
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value / b.value);
  if (a instanceof CelUint && b instanceof CelUint) {
    return b.value === 0n ? DIVISION_BY_ZERO : new CelUint(a.value / b.value);
  }
  return noSuchOverload(a, b);
};

const modulo: Binary = (a, b) => {
  if (a instanceof CelUint && b instanceof CelUint) {
    return b.value === 0n ? MODULUS_BY_ZERO : new CelUint(a.value % b.value);
  }
  return noSuchOverload(a, b);
};

/** `-` on numbers, timestamps and durations. */
export const planSubtract = (l: Plan, r: Plan): Plan => planBinary(l, r, subtractInt, subtract);

/** `*` on numbers of one type. */
export const planMultiply = (l: Plan, r: Plan): Plan => planBinary(l, r, multiplyInt, multiply);

/** `/` on numbers of one type; division by zero is an error, except of doubles. */
export const planDivide = (l: Plan, r: Plan): Plan => planBinary(l, r, divideInt, divide);

/** `%` on ints and uints. */
export const planModulo = (l: Plan, r: Plan): Plan => planBinary(l, r, moduloInt, modulo);

/** `-x` on an int or a double; the lowest int overflows. */
export function planNegate(operand: Plan): Plan {
  const { run } = operand;
  return {
    cost: operand.cost + 1,
    run: (frame) => {
      const value = run(frame);
      if (isInt(value)) return negateInt(value);
      return value instanceof CelDouble ? new CelDouble(-value.value) : noSuchOverload(value);
    },
  };
}

/** `+` on numbers and durations, for sums. */
export function addValues(a: CelValue, b: CelValue): CelValue {
  return isInt(a) && isInt(b) ? addInt(a, b) : add(a, b);
}

function uint(value: bigint): CelUint | CelError {
  return value >= 0n && value <= UINT64_MAX ? new CelUint(value) : UINT_OVERFLOW;
}

function shift(timestamp: CelTimestamp, nanoseconds: bigint): CelTimestamp | CelError {
  return timestampOf(timestamp.nanoseconds + nanoseconds, timestamp.offsetSeconds);
}
