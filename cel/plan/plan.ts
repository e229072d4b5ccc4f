import type { CelValue } from '../value/value.ts';
import type { Frame } from './frame.ts';

export type Run = (frame: Frame) => CelValue;

/**
 * A compiled expression. The caller charges its fixed cost before it runs the
 * expression; `run` charges the cost that depends on values.
 */
export interface Plan {
  readonly cost: number;
  readonly run: Run;
  /** The value, when it does not depend on anything. */
  readonly constant?: CelValue | undefined;
  /**
   * Set on variables and chains of `.` and `[]` on them: the part of `cost` for
   * looking the variable up, which is not counted again where the chain goes on.
   */
  readonly lookup?: number | undefined;
  /** Set on local variables that are always bound: the slot to read. */
  readonly slot?: number | undefined;
}

/** A plan without cost that always gives `value`. */
export function constantPlan(value: CelValue): Plan {
  return { cost: 0, run: () => value, constant: value };
}

/** Whether the value is known before any run, so that parts can be folded. */
export function isConstant(plan: Plan): plan is Plan & { constant: CelValue } {
  return plan.constant !== undefined;
}

/** Cost of an operand that a chain goes on from: one look-up, whatever it is. */
export function chainCost(operand: Plan): number {
  return operand.lookup === undefined ? operand.cost + 1 : operand.cost;
}

/** Cost of a plan in a place where the look-up of its variable is free. */
export function costWithoutLookup(plan: Plan): number {
  return plan.cost - (plan.lookup ?? 0);
}

/** The plan as a function that charges everything itself. */
export function charged(plan: Plan, cost = plan.cost): Run {
  const { run } = plan;
  if (cost === 0) return run;
  return (frame) => {
    frame.charge(cost);
    return run(frame);
  };
}

/** The expression cannot be compiled, because a constant part of it always fails. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}
