import type { FieldError } from '../../api/field-error.ts';
import type { JsonObject } from '../../api/json.ts';
import { buildRules } from '../../schema/rules/rule-set.ts';
import { validateRules } from '../../schema/rules/validate.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';

/** The rules in the schema of a version, compiled when they are first needed. */
export interface CustomRules {
  /**
   * Rules that a valid object breaks. `old`: before an update; then what is
   * broken and has not changed is only warned of.
   */
  validate(object: JsonObject, old: JsonObject | undefined): RuleOutcome;
}

interface RuleOutcome {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Compiles the rules of a schema; undefined: it has none. */
export type RuleBuilder = (schema: StructuralSchema) => CustomRules | undefined;

export const schemaRules: RuleBuilder = (schema) => {
  const rules = buildRules(schema);
  return (
    rules && {
      validate: (object, old) => validateRules(rules, object, { old }),
    }
  );
};
