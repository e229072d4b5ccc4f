import { atOnce, type Steps } from '../../api/steps.ts';
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

interface VariableSource {
  readonly name: string;
  readonly expression: string;
}

/** The variables of a policy, and the expressions that use them. */
export class PolicyExpressions {
  readonly #params: boolean;
  readonly #variables = new Map<string, CompiledExpression>();
  readonly #types = new Map<string, CelType>();
  readonly #sources: readonly VariableSource[];
  /** How many of the variables are compiled. */
  #compiled = 0;

  /** Each variable may use those before it. `params`: the variable of that name is bound. */
  constructor(params: boolean, variables: readonly VariableSource[]) {
    this.#params = params;
    this.#sources = variables;
  }

  /** Compiles the variables, one in a step; once. */
  *prepareSteps(): Steps<void> {
    for (
      let next = this.#sources[this.#compiled];
      next !== undefined;
      next = this.#sources[this.#compiled]
    ) {
      const compiled = this.#compile(next.expression, ANYTHING);
      this.#variables.set(next.name, compiled);
      this.#types.set(next.name, 'type' in compiled ? variableType(compiled.type) : DYN);
      this.#compiled++;
      yield;
    }
  }

  /**
   * An expression that is compiled when it is first asked for: all expressions of
   * a policy at once would hold the event loop.
   */
  later(source: string, use: ExpressionUse): () => CompiledExpression {
    let compiled: CompiledExpression | undefined;
    return () => {
      if (compiled === undefined) {
        atOnce(this.prepareSteps());
        compiled = this.#compile(source, use);
      }
      return compiled;
    };
  }

  #compile(source: string, { results, authorizer, mutation }: ExpressionUse): CompiledExpression {
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
    atOnce(this.prepareSteps());
    return new AdmissionBindings(
      input,
      (bindings) => new Variables(this.#variables, bindings, budget),
    );
  }
}

const ANYTHING: ExpressionUse = { results: [], authorizer: true, mutation: false };
