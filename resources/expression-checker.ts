import { estimateCost } from '../cel/cost/estimate.ts';
import type { Compilation, Environment } from '../cel/environment.ts';
import { ANY, BOOL, DYN, listType, NULL, sameType, STRING } from '../cel/value/type.ts';
import { PatternBudget } from '../cel/value/pattern-budget.ts';
import {
  admissionEnvironment,
  APPLIED_OBJECT,
  PATCH_OPERATION,
  variableType,
} from './admission-environment.ts';
import { deviceEnvironment, deviceSizes } from './device-environment.ts';
import {
  INSTANTIATION_FAILED,
  type AdmissionScope,
  type AdmissionScopeOptions,
  type AdmissionUse,
  type ExpressionCheck,
  type ExpressionChecker,
} from './expressions.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { CelType } from '../cel/value/cel-type.ts';

const RESULTS: Readonly<Record<AdmissionUse, readonly CelType[]>> = {
  matchCondition: [BOOL],
  validation: [BOOL],
  messageExpression: [STRING],
  auditAnnotation: [STRING, NULL],
  applyConfiguration: [APPLIED_OBJECT],
  jsonPatch: [listType(PATCH_OPERATION)],
};
/**
 * Characters of all expressions of one object, and work of their patterns in
 * nanoseconds: compiling them delays all other requests. Policies in use have some
 * thousand characters.
 */
const MAX_TEXT = 128 * 1024;
const MAX_PATTERN_WORK = 50_000_000;
const TOO_MANY_PATTERNS = 'the patterns of all expressions would take too long to compile';

const MUTATIONS: ReadonlySet<AdmissionUse> = new Set(['applyConfiguration', 'jsonPatch']);

/** Compiles the expressions of kinds, and says what is wrong with them. */
export function expressionChecker(gates: FeatureGates): ExpressionChecker {
  const devices = deviceEnvironment(gates.DRAConsumableCapacity);
  return {
    deviceScope: () => {
      const patterns = new PatternBudget(MAX_PATTERN_WORK);
      return { check: (expression) => checkDeviceSelector(devices, expression, patterns) };
    },
    admissionScope: (options) => new CompilingScope(options),
  };
}

/** Source: k8s.io/dynamic-resource-allocation cel/compile.go. */
function checkDeviceSelector(
  environment: Environment,
  expression: string,
  patterns: PatternBudget,
): ExpressionCheck {
  if (patterns.isExceeded) return { problem: TOO_MANY_PATTERNS, cost: 0n };
  const compiled = environment.compile(expression, { patterns });
  if (!compiled.ok) return { problem: failure(compiled), cost: 0n };
  const { type, checked } = compiled;
  if (!sameType(type, BOOL) && !sameType(type, ANY)) {
    const problem = `must evaluate to bool or the unknown type, not ${nameOf(type)}`;
    return { problem, cost: 0n };
  }
  return { problem: undefined, cost: estimateCost(checked, deviceSizes).max };
}

/** Source: k8s.io/kubernetes pkg/apis/admissionregistration/validation. */
class CompilingScope implements AdmissionScope {
  readonly #params: boolean;
  readonly #variables: Map<string, CelType> | undefined;
  readonly #patterns = new PatternBudget(MAX_PATTERN_WORK);
  #text = 0;

  constructor({ params, variables }: AdmissionScopeOptions) {
    this.#params = params;
    this.#variables = variables ? new Map() : undefined;
  }

  defineVariable(name: string, expression: string): string | undefined {
    const compiled = this.#compile(this.#environment(true, false), expression);
    if (typeof compiled === 'string') return compiled;
    // what follows is not blamed for a variable that is broken
    this.#variables?.set(name, compiled.ok ? variableType(compiled.type) : DYN);
    return compiled.ok ? undefined : failure(compiled);
  }

  check(use: AdmissionUse, expression: string): string | undefined {
    const environment = this.#environment(use !== 'messageExpression', MUTATIONS.has(use));
    const compiled = this.#compile(environment, expression);
    if (typeof compiled === 'string') return compiled;
    if (!compiled.ok) return failure(compiled);
    const wanted = RESULTS[use];
    if (wanted.some((type) => sameType(type, compiled.type))) return undefined;
    const names = wanted.map(nameOf);
    const shown = names.length === 1 ? names.join('') : `one of [${names.join(' ')}]`;
    return `must evaluate to ${shown} but got ${nameOf(compiled.type)}`;
  }

  /** What the expression is compiled to, or why it is not. */
  #compile(environment: Environment, expression: string): Compilation | string {
    this.#text += expression.length;
    if (this.#text > MAX_TEXT) return `all expressions have more than ${MAX_TEXT} characters`;
    if (this.#patterns.isExceeded) return TOO_MANY_PATTERNS;
    return environment.compile(expression, { patterns: this.#patterns });
  }

  #environment(authorizer: boolean, mutation: boolean): Environment {
    const [params, variables] = [this.#params, this.#variables];
    return admissionEnvironment({ params, authorizer, mutation, variables });
  }
}

function failure({ phase, message }: Extract<Compilation, { ok: false }>): string {
  return phase === 'program'
    ? `${INSTANTIATION_FAILED}: ${message}`
    : `compilation failed: ${message}`;
}

/** A type by the names of its declaration, as messages about results show it: `list(JSONPatch)`. */
function nameOf(type: CelType): string {
  const name = type.nullable === true ? `wrapper(${type.name})` : type.name;
  return type.params.length === 0 ? name : `${name}(${type.params.map(nameOf).join(', ')})`;
}
