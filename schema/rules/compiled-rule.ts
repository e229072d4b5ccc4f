import type { CheckedExpression } from '../../cel/check/checked.ts';
import { estimateCost } from '../../cel/cost/estimate.ts';
import { Range } from '../../cel/cost/range.ts';
import type { Environment } from '../../cel/environment.ts';
import type { Program } from '../../cel/program.ts';
import { BOOL, optionalType, STRING } from '../../cel/types/type.ts';
import { parseFieldPath, type SchemaStep } from '../field-path-syntax.ts';
import type { ValidationRule } from '../rule.ts';
import type { StructuralSchema } from '../structural.ts';
import { maxSizeAt, type DeclaredType } from './declared-type.ts';

/** An expression that can be evaluated. What is not needed for that is not kept. */
export interface CompiledExpression {
  readonly program: Program;
  /** The most steps that it can take; only known when costs are asked for. */
  readonly maxCost: bigint | undefined;
}

/** A rule that can be evaluated, or what is wrong with it. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined when it does not compile, or is empty. */
  readonly expression: CompiledExpression | undefined;
  /** Why the rule does not compile. */
  readonly problem: string | undefined;
  readonly message: CompiledExpression | undefined;
  /** Why its messageExpression does not compile. */
  readonly messageProblem: string | undefined;
  /** A transition rule: it compares with the value before the update. */
  readonly usesOldSelf: boolean;
  /** Where a failure is reported, from the place of the rule on. */
  readonly fieldPath: readonly SchemaStep[];
}

const NO_STEPS: readonly SchemaStep[] = [];

/** Compiles the rules of a node whose values have the type `declared`. */
export function compileRules(
  schema: StructuralSchema,
  declared: DeclaredType,
  environment: Environment,
  withCosts: boolean,
): readonly CompiledRule[] {
  const { cel } = declared;
  const costs = withCosts ? declared : undefined;
  const plain = environment.extend({ variables: { self: cel, oldSelf: cel } });
  const optional = environment.extend({ variables: { self: cel, oldSelf: optionalType(cel) } });
  return schema.rules.map((rule) =>
    compileRule(rule, schema, rule.optionalOldSelf === true ? optional : plain, costs),
  );
}

function compileRule(
  rule: ValidationRule,
  schema: StructuralSchema,
  environment: Environment,
  costs: DeclaredType | undefined,
): CompiledRule {
  const path = rule.fieldPath === '' ? undefined : parseFieldPath(rule.fieldPath, schema);
  const compiled = {
    rule,
    fieldPath: typeof path === 'object' ? path.steps : NO_STEPS,
    expression: undefined,
    problem: undefined,
    message: undefined,
    messageProblem: undefined,
    usesOldSelf: false,
  };
  if (rule.rule.trim() === '') return compiled;
  const result = environment.compile(rule.rule, { result: BOOL });
  if (!result.ok) {
    const problem =
      result.phase === 'result'
        ? 'cel expression must evaluate to a bool'
        : `${result.phase === 'check' ? 'compilation' : 'program instantiation'} failed: ${result.message}`;
    return { ...compiled, problem };
  }
  const { references } = result.checked;
  return {
    ...compiled,
    expression: compiledExpression(result, costs),
    usesOldSelf: [...references.values()].some(({ name }) => name === 'oldSelf'),
    ...compileMessage(rule, environment, costs),
  };
}

function compileMessage(
  { messageExpression }: ValidationRule,
  environment: Environment,
  costs: DeclaredType | undefined,
): Partial<CompiledRule> {
  if (messageExpression === '') return {};
  const result = environment.compile(messageExpression, { result: STRING });
  if (result.ok) return { message: compiledExpression(result, costs) };
  const messageProblem =
    result.phase === 'result'
      ? 'messageExpression must evaluate to a string'
      : `messageExpression ${result.phase === 'check' ? 'compilation' : 'instantiation'} failed: ${result.message}`;
  return { messageProblem };
}

function compiledExpression(
  { program, checked }: { program: Program; checked: CheckedExpression },
  costs: DeclaredType | undefined,
): CompiledExpression {
  return { program, maxCost: costs && maxCost(checked, costs) };
}

function maxCost(checked: CheckedExpression, declared: DeclaredType): bigint {
  // the first name is that of a variable, and all variables have the declared type
  return estimateCost(checked, ([, ...path]) => {
    const size = maxSizeAt(declared, path);
    return size === undefined ? undefined : new Range(0n, BigInt(size));
  }).max;
}
