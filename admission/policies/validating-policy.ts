import type { Steps } from '../../api/steps.ts';
import type { StatusReason } from '../../api/status.ts';
import { BOOL } from '../../cel/value/type.ts';
import type {
  AuditAnnotationValue,
  ValidatingPolicy as ValidatingPolicyObject,
  ValidationValue,
} from '../../resources/admissionregistration/policy-schema.ts';
import { publishMessageProblem, usableMessage } from '../../schema/rules/message-problems.ts';
import type { ExpressionInput } from '../expressions/bindings.ts';
import { Budget, OutOfBudget, POLICY_BUDGET } from '../expressions/budget.ts';
import type { CompiledExpression } from '../expressions/compile.ts';
import { MATCH_CONDITIONS_FAILED } from '../failure-report.ts';
import { compilePolicy, type Policy } from './policy.ts';

/** The longest message that an expression may make, in bytes. */
const MAX_MESSAGE_BYTES = 5 * 1024;

interface Validation {
  readonly expression: CompiledExpression;
  readonly message: string;
  readonly messageExpression: CompiledExpression | undefined;
  readonly reason: StatusReason;
}
interface AuditAnnotation {
  readonly key: string;
  readonly value: CompiledExpression;
}

/** A ValidatingAdmissionPolicy, ready to be evaluated. */
export interface ValidatingPolicy extends Policy {
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

/** Why a request is to be refused. */
export interface Denial {
  /** Which of the validations. */
  readonly index: number;
  readonly message: string;
  readonly reason: StatusReason;
  /** It is Deny, whatever the binding says: an audit annotation could not be made. */
  readonly always?: boolean;
}

export interface Verdict {
  /** False: its match conditions leave the request out. */
  readonly matches: boolean;
  readonly denials: readonly Denial[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** What could not be evaluated, whether the failurePolicy ignores that or not; no words of the expressions. */
  readonly failures: readonly string[];
}

/**
 * The policy with its expressions checked. Nothing throws: an expression that does not
 * compile fails when it is evaluated, and `failurePolicy` decides.
 */
export function compileValidatingPolicy(object: ValidatingPolicyObject): ValidatingPolicy {
  const { spec } = object;
  const policy = compilePolicy(object, spec);
  const { expressions } = policy;
  const validationOf = (value: ValidationValue): Validation => {
    const { expression, message = '', messageExpression = '', reason = 'Invalid' } = value;
    const use = { results: [BOOL], authorizer: true, mutation: false };
    // a result that is not a string is not shown
    const words = { results: [], authorizer: false, mutation: false };
    const condition = expressions.later(expression, use);
    const ownWords =
      messageExpression === '' ? undefined : expressions.later(messageExpression, words);
    return {
      get expression() {
        return condition();
      },
      message: message.trim(),
      get messageExpression() {
        return ownWords?.();
      },
      reason: reason as StatusReason,
    };
  };
  const annotationOf = ({ key, valueExpression }: AuditAnnotationValue): AuditAnnotation => {
    const use = { results: [], authorizer: true, mutation: false };
    const compiled = expressions.later(valueExpression, use);
    return {
      key,
      get value() {
        return compiled();
      },
    };
  };
  return {
    ...policy,
    validations: (spec.validations ?? []).map(validationOf),
    auditAnnotations: (spec.auditAnnotations ?? []).map(annotationOf),
  };
}

const NOTHING: Verdict = { matches: false, denials: [], annotations: [], failures: [] };

/**
 * What a policy says of a request, with one parameter; an expression is a step. Has no effects: it may be
 * run again. Source: behaviours 8.13; k8s.io/apiserver
 * pkg/admission/plugin/policy/validating/validator.go.
 */
export function* policySteps(policy: ValidatingPolicy, input: ExpressionInput): Steps<Verdict> {
  const failed = (message: string, what: string): Verdict => ({
    matches: true,
    denials: policy.ignoresFailure ? [] : [{ index: 0, message, reason: 'Invalid' }],
    annotations: [],
    failures: [what],
  });
  if (!policy.conditions.isEmpty) {
    const result = yield* policy.conditions.evaluateSteps(input);
    if ('error' in result) return failed(result.error, MATCH_CONDITIONS_FAILED);
    if (!result.matches) return NOTHING;
  }
  try {
    const failures: string[] = [];
    yield* policy.expressions.prepareSteps();
    const denials = yield* runValidations(policy, input, failures);
    const { problems, annotations } = yield* runAnnotations(policy, input, failures);
    return { matches: true, denials: [...denials, ...problems], annotations, failures };
  } catch (error) {
    if (error instanceof OutOfBudget) {
      return failed(error.message, 'its expressions cost too much');
    }
    throw error;
  }
}

/** @throws OutOfBudget */
function* runValidations(
  policy: ValidatingPolicy,
  input: ExpressionInput,
  failures: string[],
): Steps<Denial[]> {
  const budget = new Budget(POLICY_BUDGET);
  const bindings = policy.expressions.bindings(input, budget);
  const denials: Denial[] = [];
  const failing: { index: number; validation: Validation }[] = [];
  for (const [index, validation] of policy.validations.entries()) {
    yield;
    const result = budget.evaluate(validation.expression, bindings);
    if (result.ok) {
      if (result.value !== true) failing.push({ index, validation });
    } else {
      failures.push(`spec.validations[${index}].expression could not be evaluated`);
      if (policy.ignoresFailure) continue;
      denials.push({ index, message: result.error, reason: 'Invalid' });
    }
  }
  for (const { index, validation } of failing) {
    yield;
    try {
      const message = messageOf(validation, (expression) => budget.evaluate(expression, bindings));
      denials.push({ index, message, reason: validation.reason });
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      if (policy.ignoresFailure) continue;
      const message = `failed messageExpression: ${error.message}`;
      denials.push({ index, message, reason: 'Invalid' });
    }
  }
  return denials.sort((a, b) => a.index - b.index);
}

/** @throws OutOfBudget */
function messageOf(
  { expression, message, messageExpression }: Validation,
  evaluate: (expression: CompiledExpression) => ReturnType<Budget['evaluate']>,
): string {
  const fallback = message === '' ? `failed expression: ${expression.text}` : message;
  if (messageExpression === undefined) return fallback;
  const result = evaluate(messageExpression);
  if (result.ok) {
    return usableMessage(messageExpression.text, result.value, MAX_MESSAGE_BYTES) ?? fallback;
  }
  publishMessageProblem(messageExpression.text, result.error);
  return fallback;
}

/** @throws OutOfBudget */
function* runAnnotations(
  policy: ValidatingPolicy,
  input: ExpressionInput,
  failures: string[],
): Steps<{ problems: Denial[]; annotations: { key: string; value: string }[] }> {
  const budget = new Budget(POLICY_BUDGET);
  const bindings = policy.expressions.bindings(input, budget);
  const problems: Denial[] = [];
  const annotations: { key: string; value: string }[] = [];
  for (const [index, annotation] of policy.auditAnnotations.entries()) {
    yield;
    const { key, value } = annotation;
    const result = budget.evaluate(value, bindings);
    if (!result.ok) {
      failures.push(`spec.auditAnnotations[${index}].valueExpression could not be evaluated`);
      if (policy.ignoresFailure) continue;
      problems.push({ index, message: result.error, reason: 'Invalid', always: true });
    } else if (typeof result.value === 'string' && result.value.trim() !== '') {
      annotations.push({ key, value: result.value.trim() });
    }
  }
  return { problems, annotations };
}
