import {
  CelError,
  CelUnknown,
  isFailure,
  mergeUnknowns,
  NO_SUCH_OVERLOAD,
  noSuchOverload,
  type CelValue,
  type Failure,
} from '../value/value.ts';
import { charged, costWithoutLookup, type Plan } from './plan.ts';

/**
 * What `&&` and `||` are when no side decides: unknown if anything is, otherwise
 * the first error. A value that is not a bool counts as an error.
 */
function undecided(left: CelValue, right: CelValue): Failure | undefined {
  let unknown: CelUnknown | undefined;
  let error: CelError | undefined;
  for (const value of [left, right]) {
    if (typeof value === 'boolean') continue;
    if (value instanceof CelUnknown) unknown = mergeUnknowns(unknown, value);
    else error ??= value instanceof CelError ? value : NO_SUCH_OVERLOAD;
  }
  return unknown ?? error;
}

/** `&&` and `||`: the right side runs only when the left one does not decide. */
export function planLogic(left: Plan, right: Plan, deciding: boolean): Plan {
  const first = left.run;
  const second = right.run;
  const { cost } = right;
  return {
    cost: left.cost,
    run: (frame) => {
      const a = first(frame);
      if (a === deciding) return deciding;
      frame.charge(cost);
      const b = second(frame);
      if (b === deciding) return deciding;
      if (typeof a === 'boolean' && typeof b === 'boolean') return !deciding;
      return undecided(a, b) ?? !deciding;
    },
  };
}

/** `!x`; an operand that fails stays its failure. */
export function planNot(operand: Plan): Plan {
  const { run } = operand;
  return {
    cost: operand.cost + 1,
    run: (frame) => {
      const value = run(frame);
      return typeof value === 'boolean' ? !value : noSuchOverload(value);
    },
  };
}

/** True for anything but false: what keeps a quantifier going past an error. */
export function planNotStrictlyFalse(operand: Plan): Plan {
  const { run } = operand;
  return { cost: operand.cost + 1, run: (frame) => run(frame) !== false };
}

/** `condition ? yes : no`. Only the branch that is taken costs anything. */
export function planConditional(condition: Plan, yes: Plan, no: Plan): Plan {
  const test = condition.run;
  const onTrue = charged(yes, costWithoutLookup(yes));
  const onFalse = charged(no, costWithoutLookup(no));
  return {
    cost: condition.cost,
    lookup: 0,
    run: (frame) => {
      const value = test(frame);
      if (value === true) return onTrue(frame);
      if (value === false) return onFalse(frame);
      return isFailure(value) ? value : NO_SUCH_OVERLOAD;
    },
  };
}
