import type { Bindings } from '../../cel/program.ts';
import type { CelValue } from '../../cel/value/value.ts';
import type { CompiledExpression } from './compile.ts';

/** Steps that one expression may take. Source: k8s.io/apiserver pkg/apis/cel/config.go. */
const MAX_CALL_COST = 1_000_000;
/** Steps that the match conditions of one webhook or policy may take together (behaviours 8.8). */
export const MATCH_CONDITIONS_BUDGET = 2_500_000;
/** Steps that the expressions of one policy may take for one request and one parameter. */
export const POLICY_BUDGET = 10_000_000;

/** No more expressions are evaluated. */
export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';

  constructor() {
    super(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
  }
}

type Evaluated =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly error: string };

/** Evaluates expressions that share an amount of steps. */
export class Budget {
  #remaining: number;

  constructor(steps: number) {
    this.#remaining = steps;
  }

  /** @throws OutOfBudget when the steps are used up */
  evaluate(expression: CompiledExpression, bindings: Bindings): Evaluated {
    if ('problem' in expression) {
      return { ok: false, error: `compilation error: ${expression.problem}` };
    }
    const result = expression.program.evaluate(bindings, { limit: MAX_CALL_COST });
    this.spend(result.cost);
    if (result.ok) return { ok: true, value: result.value };
    const error = `expression '${expression.text}' resulted in error: ${result.message}`;
    return { ok: false, error };
  }

  /** @throws OutOfBudget */
  spend(steps: number): void {
    if (steps > this.#remaining) throw new OutOfBudget();
    this.#remaining -= steps;
  }
}
