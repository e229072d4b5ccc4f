import type { Steps } from '../../api/steps.ts';
import { BOOL } from '../../cel/value/type.ts';
import { admissionEnvironment } from '../../resources/admission-environment.ts';
import type { MatchConditionValue } from '../../resources/admissionregistration/match-conditions.ts';
import { AdmissionBindings, type ExpressionInput } from './bindings.ts';
import { Budget, MATCH_CONDITIONS_BUDGET, OutOfBudget } from './budget.ts';
import { compileExpression, type CompiledExpression } from './compile.ts';

type ConditionsResult =
  | { readonly matches: boolean }
  /** None is false, and some cannot be evaluated: failurePolicy decides. */
  | { readonly error: string };

/**
 * The match conditions of a webhook or policy, compiled when they are first
 * needed. Source: specification 3, section 2.3, MatchCondition; behaviours 8.8.
 */
export class MatchConditions {
  readonly #values: readonly MatchConditionValue[];
  readonly #params: boolean;
  #compiled: readonly CompiledExpression[] | undefined;

  /** `params`: the variable of that name is bound. */
  constructor(values: readonly MatchConditionValue[], params: boolean) {
    this.#values = values;
    this.#params = params;
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** One that is false decides, wherever it stands; otherwise errors count, and then all are true. */
  *evaluateSteps(input: ExpressionInput): Steps<ConditionsResult> {
    const bindings = new AdmissionBindings(input);
    const budget = new Budget(MATCH_CONDITIONS_BUDGET);
    const errors: string[] = [];
    let isFalse = false;
    try {
      // all of them: running out of budget at a later one outweighs a false one before it
      for (const expression of this.#expressions()) {
        yield;
        const result = budget.evaluate(expression, bindings);
        if (!result.ok) errors.push(result.error);
        else if (result.value === false) isFalse = true;
      }
    } catch (error) {
      if (error instanceof OutOfBudget) return { error: error.message };
      throw error;
    }
    if (isFalse) return { matches: false };
    if (errors.length === 0) return { matches: true };
    return { error: errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]` };
  }

  #expressions(): readonly CompiledExpression[] {
    this.#compiled ??= this.#compile();
    return this.#compiled;
  }

  #compile(): readonly CompiledExpression[] {
    const environment = admissionEnvironment({
      params: this.#params,
      authorizer: true,
      mutation: false,
      variables: undefined,
    });
    return this.#values.map(({ expression }) => compileExpression(environment, expression, [BOOL]));
  }
}
