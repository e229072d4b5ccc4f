import { fieldErrorText, type FieldError } from '../../api/field-error.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { atOnce, type Steps } from '../../api/steps.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { Trail } from '../trail.ts';
import { isUnchanged, oldField, OldItems } from '../validate/correlate.ts';
import { evaluateRules, type Budget } from './evaluate.ts';
import { MAX_OBJECT_COST } from './limits.ts';
import type { RuleNode } from './rule-set.ts';

export interface RuleValidation {
  readonly errors: FieldError[];
  /** Rules that fail on what has not changed: texts for Warning headers. */
  readonly warnings: string[];
}

interface ValidateRulesOptions {
  /** The value before the update. */
  old?: JsonValue | undefined;
  /** Path of the value inside its object. */
  path?: string;
  /** Lets rules pass that fail on what has not changed; only where `old` is that before an update. */
  ratchets?: boolean;
  /** Steps that may be taken, when not those for one write of one object. */
  budget?: Budget;
}

/**
 * Runs the rules of a schema on a value that has passed validation (see
 * blocksRules). A rule runs on each value of its place that is not null;
 * transition rules where there is an old value that belongs to it. What fails
 * but has not changed is a warning, except for transition rules.
 *
 * Source: specification 3, section 2.1, rule semantics; behaviours 7.17 to 7.19.
 */
export function validateRules(
  rules: RuleNode,
  value: JsonValue,
  options?: ValidateRulesOptions,
): RuleValidation {
  return atOnce(ruleSteps(rules, value, options));
}

/** {@link validateRules} with a step for each rule that is evaluated. */
export function* ruleSteps(
  rules: RuleNode,
  value: JsonValue,
  { old, path = '', ratchets = true, budget }: ValidateRulesOptions = {},
): Steps<RuleValidation> {
  const walk = new Walk(path, budget ?? { remaining: MAX_OBJECT_COST });
  const correlation = ratchets ? Correlation.root(value, old, rules.schema) : Correlation.none;
  yield* walk.visit(rules, value, old, correlation);
  return { errors: walk.errors, warnings: walk.warnings };
}

/** A place whose value may be compared with an old one, or the nearest such place around it. */
class Correlation {
  static readonly none = new Correlation(undefined, undefined, undefined);
  readonly #value: JsonValue | undefined;
  readonly #old: JsonValue | undefined;
  readonly #schema: StructuralSchema | undefined;
  #isUnchanged: boolean | undefined;

  private constructor(
    value: JsonValue | undefined,
    old: JsonValue | undefined,
    schema: StructuralSchema | undefined,
  ) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  static root(value: JsonValue, old: JsonValue | undefined, schema: StructuralSchema): Correlation {
    return old === undefined ? Correlation.none : new Correlation(value, old, schema);
  }

  /** Of a part of the value; when the part has no old value, what holds for the whole holds for it. */
  part(
    value: JsonValue,
    old: JsonValue | undefined,
    schema: StructuralSchema | undefined,
  ): Correlation {
    if (this === Correlation.none || old === undefined || schema === undefined) return this;
    return new Correlation(value, old, schema);
  }

  isUnchanged(): boolean {
    if (this.#value === undefined || this.#old === undefined || this.#schema === undefined) {
      return false;
    }
    this.#isUnchanged ??= isUnchanged(this.#value, this.#old, this.#schema);
    return this.#isUnchanged;
  }
}

class Walk {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  readonly #trail: Trail;
  readonly #budget: Budget;

  constructor(path: string, budget: Budget) {
    this.#trail = new Trail(path);
    this.#budget = budget;
  }

  *visit(
    node: RuleNode,
    value: JsonValue,
    old: JsonValue | undefined,
    correlation: Correlation,
  ): Steps<void> {
    if (value === null || this.#budget.remaining < 0) return;
    if (node.rules.length > 0) yield* this.#evaluate(node, value, old, correlation);
    if (Array.isArray(value)) yield* this.#visitItems(node, value, old, correlation);
    else if (isObject(value)) yield* this.#visitFields(node, value, old, correlation);
  }

  *#evaluate(
    node: RuleNode,
    value: JsonValue,
    old: JsonValue | undefined,
    correlation: Correlation,
  ): Steps<void> {
    const path = this.#trail.toString();
    for (const failure of yield* evaluateRules(node, value, old, path, this.#budget)) {
      if (!failure.isTransition && correlation.isUnchanged()) {
        this.warnings.push(fieldErrorText(failure.error));
      } else this.errors.push(failure.error);
    }
  }

  *#visitItems(
    node: RuleNode,
    value: JsonValue[],
    old: JsonValue | undefined,
    correlation: Correlation,
  ): Steps<void> {
    const { items, schema } = node;
    if (items === undefined) return;
    const oldItems = OldItems.of(old, schema);
    for (let i = 0; i < value.length && this.#budget.remaining >= 0; i++) {
      const item = value[i] as JsonValue;
      const before = oldItems?.find(item);
      this.#trail.index(i);
      yield* this.visit(items, item, before, correlation.part(item, before, schema.items));
      this.#trail.pop();
    }
  }

  *#visitFields(
    node: RuleNode,
    value: JsonObject,
    old: JsonValue | undefined,
    correlation: Correlation,
  ): Steps<void> {
    const isRoot = this.#trail.isEmpty;
    for (const key in value) {
      const property = node.properties.get(key);
      const child =
        property ??
        (node.schema.properties?.has(key) === true ? undefined : node.additionalProperties);
      if (child === undefined) continue;
      const item = value[key] as JsonValue;
      const before = oldField(old, node.schema, key);
      // type and version are converted before they come here, so a change of them does not show
      const isTypeMeta = isRoot && (key === 'apiVersion' || key === 'kind');
      const part = isTypeMeta
        ? Correlation.none
        : correlation.part(item, before, node.schema.child(key));
      if (property === undefined) this.#trail.key(key);
      else this.#trail.field(key);
      yield* this.visit(child, item, before, part);
      this.#trail.pop();
    }
  }
}
