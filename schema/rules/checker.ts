import { MAX_COST } from '../../cel/types/range.ts';
import { PatternBudget } from '../../cel/value/pattern-budget.ts';
import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { MAX_PATTERN_WORK } from '../check/limits.ts';
import type { RuleCompiler, RulePlace } from '../check/rule-seam.ts';
import { extensionKey } from '../extension-keys.ts';
import type { ValidationRule } from '../structure/rule.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { MAX_REQUEST_BYTES } from './declared-type.ts';
import type { Budget } from './evaluate.ts';
import { MAX_EXPRESSION_ESTIMATE, MAX_OBJECT_COST, MAX_SCHEMA_ESTIMATE } from './limits.ts';
import { RuleBuilder, type RuleNode } from './rule-set.ts';
import { ruleSteps } from './validate.ts';

interface RuleCheckerOptions {
  /** The schema is stored already as it is: what its single expressions cost is not held against it. */
  isUnchanged?: boolean;
  /** What is left for the patterns of the definition that the schema is part of. */
  patterns?: PatternBudget;
}

/** How many expressions are named when all together cost too much, and what part of the limit one needs for it. */
const MAX_NAMED = 4;
const NAMED_SHARE = MAX_SCHEMA_ESTIMATE / 100n;

/**
 * What checking a schema needs of the expression language; one instance per
 * version of a definition.
 *
 * Source: behaviours 7.18 and 7.19; apiextensions-apiserver
 * pkg/apis/apiextensions/validation.
 */
export class RuleChecker implements RuleCompiler {
  readonly #builder: RuleBuilder;
  readonly #defaultsBudget: Budget = { remaining: MAX_OBJECT_COST };
  readonly #isUnchanged: boolean;
  readonly #expensive: { path: FieldPath; cost: bigint }[] = [];
  #total = 0n;

  constructor({
    isUnchanged = false,
    patterns = new PatternBudget(MAX_PATTERN_WORK),
  }: RuleCheckerOptions = {}) {
    this.#builder = new RuleBuilder(patterns);
    this.#isUnchanged = isUnchanged;
  }

  *check(place: RulePlace): Steps<FieldError[]> {
    const node = yield* this.#builder.build(place.node, place.isRoot || place.node.embedded);
    const path = place.path.child(extensionKey('validations'));
    if (node?.minBytes === undefined) {
      return [fieldError.internal(path, 'rules cannot see values without a type')];
    }
    const often = place.cardinality ?? BigInt(Math.floor(MAX_REQUEST_BYTES / (node.minBytes + 1)));
    const errors: FieldError[] = [];
    for (const [i, rule] of node.rules.entries()) {
      yield;
      errors.push(...this.#checkRule(rule, often, path.index(i), place));
    }
    return errors;
  }

  checkTotal(path: FieldPath): FieldError[] {
    if (this.#total <= MAX_SCHEMA_ESTIMATE) return [];
    const name = extensionKey('validations');
    const what = `${name} estimated rule cost total for entire OpenAPIv3 schema`;
    const why =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((rule) => fieldError.forbidden(rule.path, why)),
      fieldError.forbidden(path, tooExpensive(what, this.#total, MAX_SCHEMA_ESTIMATE)),
    ];
  }

  *checkDefault(value: JsonValue, schema: StructuralSchema, path: FieldPath): Steps<FieldError[]> {
    const node = yield* this.#builder.build(schema);
    if (node === undefined) return [];
    // rules with an optional oldSelf may tell a new value from an unchanged one
    const unchanged = yield* this.#validateDefault(node, value, path, value);
    return unchanged.length > 0
      ? unchanged
      : yield* this.#validateDefault(node, value, path, undefined);
  }

  *#validateDefault(
    node: RuleNode,
    value: JsonValue,
    path: FieldPath,
    old: JsonValue | undefined,
  ): Steps<FieldError[]> {
    const budget = this.#defaultsBudget;
    const options = { old, path: path.toString(), ratchets: false, budget };
    return (yield* ruleSteps(node, value, options)).errors;
  }

  #checkRule(
    compiled: CompiledRule,
    often: bigint,
    path: FieldPath,
    place: RulePlace,
  ): FieldError[] {
    const { rule, expression, problem, message, messageProblem } = compiled;
    const errors: FieldError[] = [];
    const at = path.child('rule');
    if (problem !== undefined) errors.push(fieldError.invalid(at, shown(rule), problem));
    if (expression?.maxCost !== undefined) {
      const cost = cap(expression.maxCost * often);
      errors.push(...this.#observe(cost, 'estimated rule cost', at));
    }
    const messageAt = path.child('messageExpression');
    if (messageProblem !== undefined) {
      errors.push(fieldError.invalid(messageAt, shown(rule), messageProblem));
    }
    if (message?.maxCost !== undefined) {
      // of a message no more than one is counted, whatever the number of values
      const what = 'estimated messageExpression cost';
      errors.push(...this.#observe(message.maxCost, what, messageAt));
    }
    return [...errors, ...checkOldSelf(compiled, path, place)];
  }

  #observe(cost: bigint, what: string, path: FieldPath): FieldError[] {
    this.#total = cap(this.#total + cost);
    if (cost >= NAMED_SHARE) {
      this.#expensive.push({ path, cost });
      this.#expensive.sort((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0));
      this.#expensive.splice(MAX_NAMED);
    }
    if (this.#isUnchanged || cost <= MAX_EXPRESSION_ESTIMATE) return [];
    return [fieldError.forbidden(path, tooExpensive(what, cost, MAX_EXPRESSION_ESTIMATE))];
  }
}

function checkOldSelf(
  { rule, usesOldSelf }: CompiledRule,
  path: FieldPath,
  { uncorrelatable }: RulePlace,
): FieldError[] {
  if (usesOldSelf && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable.toString()}`;
    return [fieldError.invalid(path.child('rule'), rule.rule, why)];
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const why = 'may not be set if oldSelf is not used in rule';
    return [fieldError.invalid(path.child('optionalOldSelf'), rule.optionalOldSelf, why)];
  }
  return [];
}

function cap(cost: bigint): bigint {
  return cost > MAX_COST ? MAX_COST : cost;
}

function tooExpensive(what: string, cost: bigint, limit: bigint): string {
  return `${what} exceeds budget by factor of ${factorText(Number(cost) / Number(limit))} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** Far above the limit the number says nothing; close to it, it must not read `1.0`. */
function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}

/** A rule as it is shown in errors: what is set of it. */
function shown(rule: ValidationRule): JsonObject {
  const object: JsonObject = { rule: rule.rule };
  if (rule.message !== '') object['message'] = rule.message;
  if (rule.messageExpression !== '') object['messageExpression'] = rule.messageExpression;
  if (rule.reason !== undefined) object['reason'] = rule.reason;
  if (rule.fieldPath !== '') object['fieldPath'] = rule.fieldPath;
  if (rule.optionalOldSelf !== undefined) object['optionalOldSelf'] = rule.optionalOldSelf;
  return object;
}
