import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { PatternBudget } from '../../cel/value/pattern-budget.ts';
import { atOnce, type Steps } from '../../api/steps.ts';
import { readExtension } from '../extension-keys.ts';
import { schemaSteps } from '../from-json.ts';
import { isMetaField } from '../prune.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { cardinalityBelow } from './cardinality.ts';
import { checkCompleteness } from './completeness.ts';
import { DefaultBudget } from '../default-budget.ts';
import { checkDefaults } from './default-rules.ts';
import { checkDefaultSizes } from './default-sizes.ts';
import { JUNCTOR_LISTS, namedSchemas, schemaAt, schemasAt } from './json-node.ts';
import { checkKeywords, type Surroundings } from './keyword-rules.ts';
import { checkLimits, checkRuleLimits, MAX_PATTERN_WORK, RuleTextBudget } from './limits.ts';
import { checkListAndMapTypes, hasKnownMapType } from './list-rules.ts';
import { Report } from './report.ts';
import { checkRuleFields } from './rule-fields.ts';
import type { RuleCompiler } from './rule-seam.ts';
import { checkStatusRoot } from './status-root.ts';
import { checkStructure } from './structural-rules.ts';
import { firstUnsupported, reportUnsupported } from './unsupported.ts';

interface CheckSchemaOptions {
  /** The version has a status subresource. */
  hasStatus: boolean;
  /** Compiles rules; without it only the form of rules is checked. One per call. */
  rules?: RuleCompiler | undefined;
  /** What is left for the patterns of the definition that the schema is part of. */
  patterns?: PatternBudget;
  /** What is left for the rules of that definition. */
  ruleText?: RuleTextBudget;
  /** What is left for the defaults of that definition. */
  defaults?: DefaultBudget;
}

/**
 * Everything that is wrong with the schema of a version of a CRD: `json` is
 * its `openAPIV3Schema`, decoded (json-schema-props.ts) and in neutral names;
 * `path` is where it stands in the definition. An accepted schema can be built
 * by schemaFromJson, and pruning, defaulting and validation by it are sound.
 *
 * Source: specification 3, section 2.1; behaviours 7.2, 7.4, 7.5, 7.18.
 */
export function checkSchema(
  json: JsonObject,
  path: FieldPath,
  options: CheckSchemaOptions,
): FieldError[] {
  return atOnce(checkSchemaSteps(json, path, options));
}

/** {@link checkSchema} with some steps for each schema inside, and for each rule and pattern. */
export function* checkSchemaSteps(
  json: JsonObject,
  path: FieldPath,
  {
    hasStatus,
    rules,
    patterns = new PatternBudget(MAX_PATTERN_WORK),
    ruleText = new RuleTextBudget(),
    defaults = DefaultBudget.ofDefinition(),
  }: CheckSchemaOptions,
): Steps<FieldError[]> {
  const tooLarge = checkLimits(json, path);
  if (tooLarge !== undefined) return [tooLarge];
  const report = new Report(patterns);
  const statusError = hasStatus ? checkStatusRoot(json, path) : undefined;
  if (statusError !== undefined) report.add(statusError);
  if (getOwn(json, 'nullable') === true) {
    report.add(fieldError.forbidden(path.child('nullable'), 'nullable cannot be true at the root'));
  }
  yield;
  const schema = yield* schemaSteps(json);
  const tooMany = checkRuleLimits(schema, path, ruleText);
  if (tooMany !== undefined) return [tooMany];
  yield;
  const tooFull = yield* checkDefaultSizes(schema, path, defaults);
  if (tooFull !== undefined) return [tooFull];
  const { count } = report;
  const unsupported = yield* firstUnsupported(json, path);
  if (unsupported === undefined) {
    yield* checkStructure(json, path, report);
    yield* checkCompleteness(json, path, report);
    if (report.count === count) yield* checkDefaults(schema, path, report, rules);
  }
  const isSound = unsupported === undefined && report.count === count;
  yield* new Walk(report, isSound ? rules : undefined).visit(json, path, {
    schema,
    isRoot: true,
    noDefaults: undefined,
    insideMeta: false,
    cardinality: 1n,
    uncorrelatable: undefined,
  });
  if (unsupported !== undefined) reportUnsupported(unsupported, path, report);
  if (isSound && rules !== undefined) report.add(...rules.checkTotal(path));
  return report.errors;
}

interface Context extends Surroundings {
  /** The node, built; undefined below junctors, where rules cannot stand. */
  readonly schema: StructuralSchema | undefined;
  readonly isRoot: boolean;
  readonly cardinality: bigint | undefined;
  readonly uncorrelatable: FieldPath | undefined;
}

/** Visits every schema inside a schema, also those in keywords that are not supported. */
class Walk {
  readonly #report: Report;
  readonly #rules: RuleCompiler | undefined;
  /** Errors that have nothing to do with expressions; a node below which there are any has its rules not compiled. */
  #schemaErrors = 0;

  constructor(report: Report, rules: RuleCompiler | undefined) {
    this.#report = report;
    this.#rules = rules;
  }

  *visit(node: JsonObject, path: FieldPath, context: Context): Steps<void> {
    yield;
    const before = this.#schemaErrors;
    const { count } = this.#report;
    checkKeywords(node, context, path, this.#report);
    checkListAndMapTypes(node, path, this.#report);
    yield* checkRuleFields(node, context.schema, path, this.#report);
    this.#schemaErrors += this.#report.count - count;
    yield* this.#visitStructure(node, path, { ...context, isRoot: false }, context.isRoot);
    yield* this.#visitOthers(node, path, context);
    const { schema } = context;
    if (this.#rules === undefined || schema === undefined || schema.rules.length === 0) return;
    if (this.#schemaErrors > before) return;
    this.#report.add(
      ...(yield* this.#rules.check({
        node: schema,
        path,
        isRoot: context.isRoot,
        cardinality: context.cardinality,
        uncorrelatable: context.uncorrelatable,
      })),
    );
  }

  *#visitStructure(
    node: JsonObject,
    path: FieldPath,
    context: Context,
    isRoot: boolean,
  ): Steps<void> {
    const { schema } = context;
    const below = { ...context, cardinality: cardinalityBelow(schema, context.cardinality) };
    const others = schemaAt(node, 'additionalProperties');
    if (others !== undefined) {
      const known = schema?.additionalProperties;
      yield* this.visit(others, path.child('additionalProperties'), {
        ...below,
        schema: typeof known === 'object' ? known : undefined,
        noDefaults: context.insideMeta
          ? 'inside additionalProperties applying to object metadata'
          : context.noDefaults,
      });
    }
    const isResource = isRoot || readExtension(node, 'embedded-resource') === true;
    const uncorrelatable = context.uncorrelatable ?? (hasKnownMapType(node) ? undefined : path);
    for (const [name, property] of namedSchemas(node, 'properties')) {
      const isMeta = isResource && isMetaField(name);
      yield* this.visit(property, path.child('properties').key(name), {
        ...below,
        uncorrelatable,
        schema: schema?.properties?.get(name),
        insideMeta: context.insideMeta || isMeta,
        noDefaults: isMeta && isRoot ? `in top-level ${name}` : context.noDefaults,
      });
    }
    yield* this.#visitItems(node, path, below);
  }

  *#visitItems(node: JsonObject, path: FieldPath, context: Context): Steps<void> {
    const items = getOwn(node, 'items');
    const uncorrelatable =
      readExtension(node, 'list-type') === 'map'
        ? context.uncorrelatable
        : (context.uncorrelatable ?? path);
    const at = path.child('items');
    if (Array.isArray(items)) {
      for (const [i, item] of schemasAt(node, 'items').entries()) {
        yield* this.visit(item, at.index(i), { ...context, schema: undefined, uncorrelatable });
      }
    } else if (isObject(items)) {
      yield* this.visit(items, at, { ...context, schema: context.schema?.items, uncorrelatable });
    }
  }

  *#visitOthers(node: JsonObject, path: FieldPath, context: Context): Steps<void> {
    const nested = { ...context, schema: undefined, isRoot: false };
    const not = schemaAt(node, 'not');
    if (not !== undefined) yield* this.visit(not, path.child('not'), nested);
    for (const junctor of JUNCTOR_LISTS) {
      for (const [i, schema] of schemasAt(node, junctor).entries()) {
        yield* this.visit(schema, path.child(junctor).index(i), nested);
      }
    }
    for (const keyword of ['definitions', 'dependencies']) {
      for (const [name, schema] of namedSchemas(node, keyword)) {
        yield* this.visit(schema, path.child(keyword).key(name), nested);
      }
    }
  }
}
