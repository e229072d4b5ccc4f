import type { FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { JsonValue } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import type { StructuralSchema } from '../structure/structural.ts';

/** A node of a schema that has rules. */
export interface RulePlace {
  readonly node: StructuralSchema;
  /** Of the node in the definition: `spec.versions[0].schema.openAPIV3Schema.properties[spec]`. */
  readonly path: FieldPath;
  /** The node describes an object of the API. */
  readonly isRoot: boolean;
  /** How many values of the node one object can have; undefined where nothing bounds them. */
  readonly cardinality: bigint | undefined;
  /** The list above the node whose items do not correlate with old ones, so that rules cannot use `oldSelf`. */
  readonly uncorrelatable: FieldPath | undefined;
}

/**
 * What checking a schema needs of the expression language. One instance checks
 * one version of one definition: it adds up what the rules may cost.
 */
export interface RuleCompiler {
  /** Errors of the rules of one node: they must compile, cost little, use `oldSelf` where they may. */
  check(place: RulePlace): Steps<FieldError[]>;
  /** Errors of all rules together, after the last {@link check}. `path` is that of the schema. */
  checkTotal(path: FieldPath): FieldError[];
  /** Errors of a default that breaks the rules of its own schema. */
  checkDefault(value: JsonValue, schema: StructuralSchema, path: FieldPath): Steps<FieldError[]>;
}
