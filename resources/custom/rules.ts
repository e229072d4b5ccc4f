import type { FieldError } from '../../api/field-error.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { RuleBuilder } from '../../schema/rules/rule-set.ts';
import { ruleSteps } from '../../schema/rules/validate.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';

/** The rules in the schema of a version, compiled when they are first needed. */
export interface CustomRules {
  /**
   * Rules that a valid object breaks. `old`: before an update; then what is
   * broken and has not changed is only warned of.
   */
  validate(object: JsonObject, old: JsonObject | undefined): Steps<RuleOutcome>;
}

interface RuleOutcome {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Compiles the rules of a schema; undefined: it has none. */
export type RuleCompilation = (schema: StructuralSchema) => Steps<CustomRules | undefined>;

/** Compiles the rules of a schema in steps; undefined if it has none. */
export const schemaRules: RuleCompilation = function* (schema) {
  const rules = yield* new RuleBuilder().build(schema, true);
  return (
    rules && {
      validate: (object, old) => ruleSteps(rules, object, { old }),
    }
  );
};
