import type { CheckedExpression } from '../../cel/check/checked.ts';
import { estimateCost } from '../../cel/cost/estimate.ts';
import { Range } from '../../cel/types/range.ts';
import type { Compilation, Environment } from '../../cel/environment.ts';
import type { Program } from '../../cel/program.ts';
import { BOOL, optionalType, STRING } from '../../cel/value/type.ts';
import type { PatternBudget } from '../../cel/value/pattern-budget.ts';
import type { Steps } from '../../api/steps.ts';
import { parseFieldPath, type SchemaStep } from '../field-path-syntax.ts';
import type { ValidationRule } from '../structure/rule.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { maxSizeAt, type DeclaredType } from './declared-type.ts';
import type { CelType } from '../../cel/value/cel-type.ts';

/** An expression that can be evaluated. What is not needed for that is not kept. */
interface CompiledExpression {
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

/** Where rules are checked before they are stored: what there is to know for it. */
interface Check {
  readonly declared: DeclaredType;
  readonly patterns: PatternBudget;
}

const NO_STEPS: readonly SchemaStep[] = [];
const TOO_MANY_PATTERNS = 'the patterns of all rules would take too long to compile';

/**
 * Compiles the rules of a node whose values have the type `declared`. `patterns`:
 * given where they are checked before they are stored; then costs are estimated,
 * and nothing is compiled any more when their patterns have become too many.
 */
export function* compileRules(
  schema: StructuralSchema,
  declared: DeclaredType,
  environment: Environment,
  patterns: PatternBudget | undefined,
): Steps<readonly CompiledRule[]> {
  const { cel } = declared;
  const check = patterns && { declared, patterns };
  const plain = environment.extend({ variables: { self: cel, oldSelf: cel } });
  const optional = environment.extend({ variables: { self: cel, oldSelf: optionalType(cel) } });
  const compiled: CompiledRule[] = [];
  for (const rule of schema.rules) {
    yield;
    const scope = rule.optionalOldSelf === true ? optional : plain;
    compiled.push(yield* compileRule(rule, schema, scope, check));
  }
  return compiled;
}

function* compileRule(
  rule: ValidationRule,
  schema: StructuralSchema,
  environment: Environment,
  check: Check | undefined,
): Steps<CompiledRule> {
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
  const result = yield* compile(rule.rule, BOOL, environment, check);
  if (result === undefined) return { ...compiled, problem: TOO_MANY_PATTERNS };
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
    expression: yield* compiledExpression(result, check),
    usesOldSelf: [...references.values()].some(({ name }) => name === 'oldSelf'),
    ...(yield* compileMessage(rule, environment, check)),
  };
}

function* compileMessage(
  { messageExpression }: ValidationRule,
  environment: Environment,
  check: Check | undefined,
): Steps<Partial<CompiledRule>> {
  if (messageExpression === '') return {};
  const result = yield* compile(messageExpression, STRING, environment, check);
  if (result === undefined) return { messageProblem: TOO_MANY_PATTERNS };
  if (result.ok) return { message: yield* compiledExpression(result, check) };
  const messageProblem =
    result.phase === 'result'
      ? 'messageExpression must evaluate to a string'
      : `messageExpression ${result.phase === 'check' ? 'compilation' : 'instantiation'} failed: ${result.message}`;
  return { messageProblem };
}

/** Undefined: those before it have used up what all patterns may take. */
function* compile(
  text: string,
  result: CelType,
  environment: Environment,
  check: Check | undefined,
): Steps<Compilation | undefined> {
  const patterns = check?.patterns;
  return patterns?.isExceeded === true
    ? undefined
    : yield* environment.compileSteps(text, { result, patterns });
}

function* compiledExpression(
  { program, checked }: { program: Program; checked: CheckedExpression },
  check: Check | undefined,
): Steps<CompiledExpression> {
  if (check !== undefined) yield;
  return { program, maxCost: check && maxCost(checked, check.declared) };
}

function maxCost(checked: CheckedExpression, declared: DeclaredType): bigint {
  // the first name is that of a variable, and all variables have the declared type
  return estimateCost(checked, ([, ...path]) => {
    const size = maxSizeAt(declared, path);
    return size === undefined ? undefined : new Range(0n, BigInt(size));
  }).max;
}
