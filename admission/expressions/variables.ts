import { JsonStruct } from '../../cel/types/json-struct.ts';
import type { Bindings } from '../../cel/program.ts';
import { CelError, type CelValue } from '../../cel/value/value.ts';
import type { Budget } from './budget.ts';
import type { CompiledExpression } from './compile.ts';

/**
 * The variable `variables` of a policy: each is evaluated when an expression
 * first asks for it, at the cost of the same budget, and then kept.
 */
export class Variables extends JsonStruct {
  readonly #expressions: ReadonlyMap<string, CompiledExpression>;
  readonly #bindings: Bindings;
  readonly #budget: Budget;
  readonly #values = new Map<string, CelValue>();

  constructor(
    expressions: ReadonlyMap<string, CompiledExpression>,
    bindings: Bindings,
    budget: Budget,
  ) {
    super();
    this.#expressions = expressions;
    this.#bindings = bindings;
    this.#budget = budget;
  }

  get size(): number {
    return this.#expressions.size;
  }

  field(name: string): CelValue | undefined {
    let value = this.#values.get(name);
    if (value === undefined) {
      const expression = this.#expressions.get(name);
      if (expression === undefined) return undefined;
      value = this.#evaluate(name, expression);
      this.#values.set(name, value);
    }
    return value;
  }

  get(key: CelValue): CelValue | undefined {
    return typeof key === 'string' ? this.field(key) : undefined;
  }

  keys(): readonly CelValue[] {
    return [...this.#expressions.keys()];
  }

  #evaluate(name: string, expression: CompiledExpression): CelValue {
    const quoted = JSON.stringify(name);
    if ('problem' in expression) {
      return new CelError(`composited variable ${quoted} fails to compile: ${expression.problem}`);
    }
    const result = this.#budget.evaluate(expression, this.#bindings);
    return result.ok
      ? result.value
      : new CelError(`composited variable ${quoted} fails to evaluate: ${result.error}`);
  }
}
