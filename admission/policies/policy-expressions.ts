import type { CelType } from '../../cel/value/cel-type.ts';
import { DYN } from '../../cel/value/type.ts';
import { admissionEnvironment, variableType } from '../../resources/admission-environment.ts';
import { AdmissionBindings, type ExpressionInput } from '../expressions/bindings.ts';
import type { Budget } from '../expressions/budget.ts';
import { compileExpression, type CompiledExpression } from '../expressions/compile.ts';
import { Variables } from '../expressions/variables.ts';

/** What an expression of a policy is for. */
interface ExpressionUse {
  /** Undefined: any. */
  readonly results: readonly CelType[];
  /** `authorizer` is bound. */
  readonly authorizer: boolean;
  /** It makes objects or patches. */
  readonly mutation: boolean;
}

/** The variables of a policy, and the expressions that use them. */
export class PolicyExpressions {
  readonly #params: boolean;
  readonly #variables = new Map<string, CompiledExpression>();
  readonly #types = new Map<string, CelType>();

  /** Each variable may use those before it. `params`: the variable of that name is bound. */
  constructor(params: boolean, variables: readonly { name: string; expression: string }[]) {
    this.#params = params;
    for (const { name, expression } of variables) {
      const compiled = this.compile(expression, ANYTHING);
      this.#variables.set(name, compiled);
      this.#types.set(name, 'type' in compiled ? variableType(compiled.type) : DYN);
    }
  }

  compile(source: string, { results, authorizer, mutation }: ExpressionUse): CompiledExpression {
    const environment = admissionEnvironment({
      params: this.#params,
      authorizer,
      mutation,
      variables: this.#types.size === 0 ? undefined : new Map(this.#types),
    });
    return compileExpression(environment, source, results);
  }

  /** What expressions see that are paid for from this budget. */
  bindings(input: ExpressionInput, budget: Budget): AdmissionBindings {
    return new AdmissionBindings(
      input,
      (bindings) => new Variables(this.#variables, bindings, budget),
    );
  }
}

const ANYTHING: ExpressionUse = { results: [], authorizer: true, mutation: false };
