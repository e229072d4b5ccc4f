import { fieldError, type FieldError } from '../api/field-error.ts';
import type { FieldPath } from '../api/field-path.ts';

/**
 * What kinds need to know of the expressions inside them. The kinds do not
 * compile expressions themselves, so that their rules can be tested without a
 * compiler; see expression-checker.ts for the one that the server uses.
 */
export interface ExpressionChecker {
  /** For the selectors of one object: `device` is bound, the result is a boolean. */
  deviceScope(): DeviceScope;
  /** For the expressions of one webhook configuration or policy. */
  admissionScope(options: AdmissionScopeOptions): AdmissionScope;
}

/** The selectors of one object. */
export interface DeviceScope {
  check(expression: string): ExpressionCheck;
}

export interface ExpressionCheck {
  /** Why the expression cannot be used, in words; undefined when it can. */
  readonly problem: string | undefined;
  /** The most steps that one evaluation may take; 0 when it cannot be used. */
  readonly cost: bigint;
}

export interface AdmissionScopeOptions {
  /** `params` is bound. */
  readonly params: boolean;
  /** There are variables, so that `variables` is bound where the use allows it. */
  readonly variables: boolean;
}

/** Which expression of an admission object it is: decides what is bound and what the result must be. */
export type AdmissionUse =
  | 'matchCondition'
  | 'validation'
  | 'messageExpression'
  | 'auditAnnotation'
  | 'applyConfiguration'
  | 'jsonPatch';

/** How the text begins that says that an expression is right, but cannot be run. */
export const INSTANTIATION_FAILED = 'program instantiation failed';

/** The error about an expression; what is wrong with it comes from an {@link AdmissionScope}. */
export function expressionError(path: FieldPath, expression: string, problem: string): FieldError {
  return problem.startsWith(INSTANTIATION_FAILED)
    ? fieldError.internal(path, problem)
    : fieldError.invalid(path, expression, problem);
}

/** The expressions of one object; variables become known in the order in which they are defined. */
export interface AdmissionScope {
  /** Makes `variables.<name>` known to what follows; the answer is what is wrong, in words. */
  defineVariable(name: string, expression: string): string | undefined;
  check(use: AdmissionUse, expression: string): string | undefined;
}
