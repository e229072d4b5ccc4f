import { BudgetExceeded, Interrupted } from './value/meter.ts';
import { Frame } from './plan/frame.ts';
import type { CompiledExpression } from './plan/planner.ts';
import { CelError, CelUnknown, type CelValue } from './value/value.ts';

/** Values of the variables of an expression. A missing one is an error where it is used. */
export interface Bindings {
  get: (name: string) => CelValue | undefined;
}

interface EvaluationOptions {
  /** Steps that the evaluation may take; it stops before the step that would be one too many. */
  limit: number;
  /** Asked every hundred iterations of a loop; true stops the evaluation. */
  isInterrupted?: () => boolean;
}

/** How an evaluation ended, and the steps it took. Mistakes in expressions are results, not exceptions. */
export type CelResult =
  | { ok: true; value: CelValue; cost: number }
  | {
      ok: false;
      reason: 'error' | 'unknown' | 'budget' | 'interrupted';
      message: string;
      cost: number;
    };

/** A compiled expression. Holds no state, so one program serves any number of evaluations. */
export class Program {
  readonly #compiled: CompiledExpression;

  constructor(compiled: CompiledExpression) {
    this.#compiled = compiled;
  }

  evaluate(bindings: Bindings, options: EvaluationOptions): CelResult {
    const { plan, globals, slots } = this.#compiled;
    const values: CelValue[] = [];
    for (const name of globals) {
      const value = bindings.get(name);
      values.push(value === undefined ? missingVariable(name) : value);
    }
    const frame = new Frame(values, slots, options.limit, options.isInterrupted);
    let value: CelValue;
    try {
      frame.charge(plan.cost);
      value = plan.run(frame);
    } catch (error) {
      return stopped(error, frame);
    }
    const { cost } = frame;
    if (value instanceof CelError) {
      return { ok: false, reason: 'error', message: value.message, cost };
    }
    if (value instanceof CelUnknown) {
      const message = `value depends on ${value.names.join(', ')}`;
      return { ok: false, reason: 'unknown', message, cost };
    }
    return { ok: true, value, cost };
  }
}

function missingVariable(name: string): CelError {
  return new CelError(`no such attribute(s): ${name}`);
}

function stopped(error: unknown, frame: Frame): CelResult {
  const { cost } = frame;
  if (error instanceof BudgetExceeded) {
    const message = 'operation cancelled: actual cost limit exceeded';
    return { ok: false, reason: 'budget', message, cost };
  }
  if (error instanceof Interrupted) {
    return { ok: false, reason: 'interrupted', message: 'operation interrupted', cost };
  }
  throw error;
}
