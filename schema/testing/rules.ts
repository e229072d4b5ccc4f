import { fieldErrorText } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { checkSchema } from '../check/check.ts';
import { schemaFromJson } from '../from-json.ts';
import { RuleChecker } from '../rules/checker.ts';
import { buildRules, type RuleNode } from '../rules/rule-set.ts';
import { validateRules, type RuleValidation } from '../rules/validate.ts';

export type Rule = string | JsonObject;

/** A schema with rules. */
export function ruled(schema: JsonObject, ...rules: Rule[]): JsonObject {
  const entries = rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  return { ...schema, 'x-cluster-validations': entries };
}

/** An object with these properties and rules. */
export function object(properties: JsonObject, ...rules: Rule[]): JsonObject {
  return ruled({ type: 'object', properties }, ...rules);
}

/** A resource whose spec has this schema. */
export const resource = (spec: JsonObject): JsonObject => ({
  type: 'object',
  properties: { spec },
});

/** Texts of what is wrong with the rules of a resource, with `@` for its spec. */
export function problems(schema: JsonObject): string[] {
  const errors = checkSchema(schema, FieldPath.of('$'), {
    hasStatus: false,
    rules: new RuleChecker(),
  });
  return errors.map((error) =>
    fieldErrorText(error).replace('$.properties[spec]', '@').replaceAll('x-cluster-', ''),
  );
}

/** The rules of the spec of a resource. */
export function rulesOf(spec: JsonObject): RuleNode {
  const rules = buildRules(schemaFromJson(resource(spec)));
  if (rules === undefined) throw new Error('a schema without rules');
  return rules;
}

/** Runs the rules of a spec on a value of it. */
export function run(rules: RuleNode, value: JsonValue, old?: JsonValue): RuleValidation {
  return validateRules(rules, { spec: value }, { old: old === undefined ? old : { spec: old } });
}

/** Texts of the errors that the rules of a spec find in a value of it. */
export function failures(spec: JsonObject, value: JsonValue, old?: JsonValue): string[] {
  return run(rulesOf(spec), value, old).errors.map(fieldErrorText);
}
