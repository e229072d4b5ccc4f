import type { CompileOptions, Environment } from '../cel/environment.ts';
import { API_ENVIRONMENT } from '../cel/environments.ts';
import type { CelResult } from '../cel/program.ts';
import type { CelType } from '../cel/value/cel-type.ts';
import type { CelValue } from '../cel/value/value.ts';

/** Steps that one expression may take; what it looks at is small. */
const MAX_COST = 1_000_000;

/** What an expression makes of the value that it looks at. */
export type ConfiguredExpression = (value: CelValue) => CelResult;

/** Expressions of configuration files in which a single variable is bound. */
export class ConfiguredExpressions {
  readonly #variable: string;
  readonly #environment: Environment;

  constructor(variable: string, type: CelType) {
    this.#variable = variable;
    this.#environment = API_ENVIRONMENT.extend({ variables: { [variable]: type } });
  }

  /** @throws Error that says in one line, after its place, why the expression cannot be used */
  compile(text: string, at: string, options?: CompileOptions): ConfiguredExpression {
    const compiled = this.#environment.compile(text, options);
    if (!compiled.ok) throw new Error(`${at}: ${compiled.message.split('\n').join(' ')}`);
    const { program } = compiled;
    const variable = this.#variable;
    return (value) => {
      const bindings = { get: (name: string) => (name === variable ? value : undefined) };
      return program.evaluate(bindings, { limit: MAX_COST });
    };
  }
}
