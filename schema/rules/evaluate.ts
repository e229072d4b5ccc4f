import type { Bindings, CelResult, Program } from '../../cel/program.ts';
import { CelOptional, type CelValue } from '../../cel/value/value.ts';
import type { FieldError } from '../../api/field-error.ts';
import type { JsonValue } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { NO_RULE_VALUE, ruleError } from './rule-error.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { MAX_CALL_COST, MAX_MESSAGE_BYTES } from './limits.ts';
import { publishMessageProblem, usableMessage } from './message-problems.ts';
import type { RuleNode } from './rule-set.ts';
import { withTypeAndMeta } from './type-meta.ts';
import { celValue } from './values.ts';

/** What is left of the steps that rules may take, over all nodes of an object. */
export interface Budget {
  remaining: number;
}

/** A failed rule; a transition rule is never let pass because nothing has changed. */
interface RuleFailure {
  readonly error: FieldError;
  readonly isTransition: boolean;
}

/**
 * Evaluates the rules of one node on a value of it. `old` is the value before
 * the update, undefined when there is none. Rules are not run once the budget
 * is used up; that is reported, and the budget is negative from then on.
 *
 * Source: specification 3, section 2.1, ValidationRule; behaviours 7.18, 7.19.
 */
export function* evaluateRules(
  node: RuleNode,
  value: JsonValue,
  old: JsonValue | undefined,
  path: string,
  budget: Budget,
): Steps<RuleFailure[]> {
  const schema = node.isResource ? withTypeAndMeta(node.schema) : node.schema;
  const oldValue = old ?? undefined; // an old null does not count as a value
  const self = celValue(value, schema);
  const failures: RuleFailure[] = [];
  const shown = schema.type === 'object' || schema.type === 'array' ? NO_RULE_VALUE : value;
  for (const rule of node.rules) {
    yield;
    const isOptional = rule.rule.optionalOldSelf === true;
    if (rule.usesOldSelf && oldValue === undefined && !isOptional) continue;
    const before = oldValue === undefined ? undefined : celValue(oldValue, schema);
    const oldSelf = isOptional ? optional(before) : before;
    const evaluation = new RuleEvaluation(rule, new Scope(self, oldSelf), budget);
    const failure = evaluation.run({ path, type: schema.type, shown });
    if (failure !== undefined) {
      failures.push({ error: failure, isTransition: rule.usesOldSelf || evaluation.isFinal });
    }
    if (budget.remaining < 0) break;
  }
  return failures;
}

function optional(value: CelValue | undefined): CelOptional {
  return value === undefined ? CelOptional.none : CelOptional.of(value);
}

class Scope implements Bindings {
  readonly #self: CelValue;
  readonly #oldSelf: CelValue | undefined;

  constructor(self: CelValue, oldSelf: CelValue | undefined) {
    this.#self = self;
    this.#oldSelf = oldSelf;
  }

  get(name: string): CelValue | undefined {
    if (name === 'self') return this.#self;
    return name === 'oldSelf' ? this.#oldSelf : undefined;
  }
}

interface Subject {
  readonly path: string;
  /** Of the schema; shown for a rule that could not be evaluated. */
  readonly type: string;
  readonly shown: JsonValue | undefined;
}

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

class RuleEvaluation {
  readonly #compiled: CompiledRule;
  readonly #scope: Scope;
  readonly #budget: Budget;
  /** The failure is not one of the rule itself, so that it counts whether anything has changed or not. */
  isFinal = false;

  constructor(compiled: CompiledRule, scope: Scope, budget: Budget) {
    this.#compiled = compiled;
    this.#scope = scope;
    this.#budget = budget;
  }

  run(subject: Subject): FieldError | undefined {
    const { expression, problem, rule } = this.#compiled;
    if (problem !== undefined) return this.#broken(subject, `rule compile error: ${problem}`);
    if (expression === undefined) return undefined;
    if (this.#budget.remaining <= 0) return this.#stopped(subject, OUT_OF_BUDGET);
    const result = this.#evaluate(expression.program);
    if (result.cost > this.#budget.remaining) return this.#stopped(subject, OUT_OF_BUDGET);
    this.#budget.remaining -= result.cost;
    if (!result.ok) return this.#failed(subject, result);
    if (result.value === true) return undefined;
    const detail = this.#message();
    return detail.isFatal
      ? this.#stopped(subject, detail.text)
      : ruleError(rule.reason, subject.path, this.#compiled.fieldPath, subject.shown, detail.text);
  }

  #evaluate(program: Program): CelResult {
    return program.evaluate(this.#scope, { limit: MAX_CALL_COST });
  }

  /** The rule could not be evaluated. */
  #failed(subject: Subject, { reason, message }: CelResult & { ok: false }): FieldError {
    const shown = ruleText(this.#compiled);
    if (reason === 'budget') {
      return this.#stopped(
        subject,
        `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`,
      );
    }
    return this.#broken(
      subject,
      message.startsWith('no such overload')
        ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
        : `${message} evaluating rule: ${shown}`,
    );
  }

  #broken({ path, type }: Subject, detail: string): FieldError {
    this.isFinal = true;
    return { type: 'FieldValueInvalid', path, value: type, detail };
  }

  /** No rule is run after this. */
  #stopped(subject: Subject, detail: string): FieldError {
    this.#budget.remaining = -1;
    return this.#broken(subject, detail);
  }

  /** What to tell of the failure: the messageExpression, or the message, or the rule. */
  #message(): { text: string; isFatal: boolean } {
    const { message, rule } = this.#compiled;
    const otherwise =
      rule.message === '' ? `failed rule: ${rule.rule.trim()}` : rule.message.trim();
    if (message === undefined) return { text: otherwise, isFatal: false };
    const result = this.#evaluate(message.program);
    if (result.cost > this.#budget.remaining) {
      return {
        text: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
        isFatal: true,
      };
    }
    this.#budget.remaining -= result.cost;
    if (!result.ok && result.reason === 'budget') {
      return {
        text: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`,
        isFatal: true,
      };
    }
    const { messageExpression } = rule;
    if (!result.ok) {
      publishMessageProblem(messageExpression, result.message);
      return { text: otherwise, isFatal: false };
    }
    const text = usableMessage(messageExpression, result.value, MAX_MESSAGE_BYTES);
    return { text: text ?? otherwise, isFatal: false };
  }
}

function ruleText({ rule }: CompiledRule): string {
  return (rule.message === '' ? rule.rule : rule.message).trim();
}
