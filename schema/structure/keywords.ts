import type { Keywords } from './structural.ts';

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
