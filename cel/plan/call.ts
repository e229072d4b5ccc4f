import type { Overload } from '../types/declaration.ts';
import { valueTest } from '../value/type-of.ts';
import {
  CelError,
  firstFailure,
  isFailure,
  NO_SUCH_OVERLOAD,
  noSuchOverload,
  type CelValue,
} from '../value/value.ts';
import type { Frame } from './frame.ts';
import type { Plan, Run } from './plan.ts';

type ValueTest = (value: CelValue) => boolean;

/** An overload prepared for calls: what its arguments must be, and the call with its charge. */
interface Callee {
  tests: readonly (ValueTest | undefined)[];
  invoke: (frame: Frame, args: readonly CelValue[]) => CelValue;
}

function callee(overload: Overload): Callee {
  const { implementation, cost } = overload;
  return {
    tests: overload.args.map(valueTest),
    invoke: (frame, args) => {
      for (const arg of args) if (typeof arg === 'string') frame.inspect(arg);
      if (cost !== undefined) frame.charge(cost(...args) - 1);
      return implementation.metered
        ? implementation.call(frame, ...args)
        : implementation.call(...args);
    },
  };
}

function accepts(tests: Callee['tests'], args: readonly CelValue[]): boolean {
  for (let i = 0; i < tests.length; i++) {
    const test = tests[i];
    const arg = args[i];
    if (arg === undefined) return false;
    if (test === undefined ? isFailure(arg) : !test(arg)) return false;
  }
  return true;
}

/**
 * A call of a function. With one overload it is called when the values fit;
 * with several, which happens when a type was not known, the first that fits.
 */
export function planCall(
  name: string,
  overloads: readonly Overload[],
  args: readonly Plan[],
): Plan {
  const cost = args.reduce((sum, arg) => sum + arg.cost, 1);
  const [single] = overloads;
  if (overloads.length === 1 && single !== undefined) {
    return { cost, run: singleCall(single, args) };
  }
  const callees = overloads.map(callee);
  const missing = new CelError(`no such overload: ${name}`);
  const runs = args.map((arg) => arg.run);
  return {
    cost,
    run: (frame) => {
      const values = runs.map((run) => run(frame));
      for (const { tests, invoke } of callees) {
        if (tests.length === values.length && accepts(tests, values)) return invoke(frame, values);
      }
      return firstFailure(values) ?? missing;
    },
  };
}

function singleCall(overload: Overload, args: readonly Plan[]): Run {
  const { implementation, cost } = overload;
  const [first, second] = args;
  if (!implementation.metered && first !== undefined) {
    const [test1, test2] = overload.args.map(valueTest);
    if (args.length === 1) return unaryCall(first.run, test1, implementation.call, cost);
    if (args.length === 2 && second !== undefined) {
      return binaryCall(first.run, second.run, test1, test2, implementation.call, cost);
    }
  }
  const { tests, invoke } = callee(overload);
  const runs = args.map((arg) => arg.run);
  return (frame) => {
    const values = runs.map((run) => run(frame));
    if (accepts(tests, values)) return invoke(frame, values);
    return firstFailure(values) ?? NO_SUCH_OVERLOAD;
  };
}

function unaryCall(
  operand: Run,
  test: ValueTest | undefined,
  call: (a: CelValue) => CelValue,
  cost: Overload['cost'],
): Run {
  return (frame) => {
    const a = operand(frame);
    if (test === undefined ? isFailure(a) : !test(a)) return noSuchOverload(a);
    if (typeof a === 'string') frame.inspect(a);
    if (cost !== undefined) frame.charge(cost(a) - 1);
    return call(a);
  };
}

function binaryCall(
  left: Run,
  right: Run,
  test1: ValueTest | undefined,
  test2: ValueTest | undefined,
  call: (a: CelValue, b: CelValue) => CelValue,
  cost: Overload['cost'],
): Run {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const fits =
      (test1 === undefined ? !isFailure(a) : test1(a)) &&
      (test2 === undefined ? !isFailure(b) : test2(b));
    if (!fits) return noSuchOverload(a, b);
    if (typeof a === 'string') frame.inspect(a);
    if (typeof b === 'string') frame.inspect(b);
    if (cost !== undefined) frame.charge(cost(a, b) - 1);
    return call(a, b);
  };
}
