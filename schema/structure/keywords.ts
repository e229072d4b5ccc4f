import type { JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from './structural.ts';

/**
 * The keywords that restrict a value without giving it structure. Absent ones
 * are undefined or empty. Source: specification 3, section 2.1, JSONSchemaProps.
 */
export interface Keywords {
  /** As written; whether it is enforced depends on the type, see formats/registry.ts. */
  readonly format: string;
  readonly maximum: number | bigint | undefined;
  readonly minimum: number | bigint | undefined;
  readonly exclusiveMaximum: boolean;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | bigint | undefined;
  /** Lengths count characters (code points). */
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  /** RE2 syntax; matches anywhere in the text unless anchored. */
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly enum: readonly JsonValue[] | undefined;
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;
}

const NONE: readonly never[] = [];

/** What a schema without any keyword has. */
export const EMPTY_KEYWORDS: Keywords = {
  format: '',
  maximum: undefined,
  minimum: undefined,
  exclusiveMaximum: false,
  exclusiveMinimum: false,
  multipleOf: undefined,
  maxLength: undefined,
  minLength: undefined,
  pattern: '',
  maxItems: undefined,
  minItems: undefined,
  maxProperties: undefined,
  minProperties: undefined,
  required: NONE,
  enum: undefined,
  allOf: NONE,
  anyOf: NONE,
  oneOf: NONE,
  not: undefined,
};
