import type { FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { validateEmbedded } from './embedded.ts';
import { validateListTypes } from './lists.ts';
import { validateNode } from './node.ts';
import { ValidationRun } from './run.ts';

interface ValidateOptions {
  /** The value before the update: what was wrong before and has not changed is let pass. */
  old?: JsonValue | undefined;
  /** Path of the value inside its object. */
  path?: FieldPath | string;
}

/**
 * Checks a value against the types and keywords of a schema. Not checked here:
 * uniqueness in lists, embedded metadata, rules; see {@link validateResource}.
 * Errors are bounded in number, work is bounded in steps (run.ts).
 *
 * Source: kube-openapi pkg/validation/validate, whose errors these are.
 */
export function validateValue(
  value: JsonValue,
  schema: StructuralSchema,
  { old, path = '' }: ValidateOptions = {},
): FieldError[] {
  const run = new ValidationRun(path.toString());
  validateNode(run, value, schema, schema, old);
  return run.finish();
}

interface ValidateResourceOptions {
  old?: JsonObject | undefined;
  /** An update through the status subresource: keywords are checked below `status` only. */
  statusOnly?: boolean;
}

/**
 * Everything that a schema says about a custom resource except its rules:
 * keywords, embedded resources, uniqueness in lists. On update, unchanged errors
 * are let pass (behaviours 7.17); duplicates pass when the old object had any;
 * embedded resources are always checked.
 */
export function validateResource(
  object: JsonObject,
  schema: StructuralSchema,
  { old, statusOnly = false }: ValidateResourceOptions = {},
): FieldError[] {
  const errors = statusOnly
    ? validateStatus(object, schema, old)
    : validateValue(object, schema, { old });
  errors.push(...validateEmbedded(object, schema));
  if (old === undefined || validateListTypes(old, schema).length === 0) {
    errors.push(...validateListTypes(object, schema));
  }
  return errors;
}

function validateStatus(
  object: JsonObject,
  schema: StructuralSchema,
  old: JsonObject | undefined,
): FieldError[] {
  const status = getOwn(object, 'status');
  const statusSchema = schema.child('status');
  if (status === undefined || statusSchema === undefined) return [];
  return validateValue(status, statusSchema, {
    old: isObject(old) ? getOwn(old, 'status') : undefined,
    path: FieldPath.of('status'),
  });
}

const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * Whether an object is so wrong that rules cannot be evaluated on it: they rely
 * on types, lengths and required fields. Source: behaviours 7.21.
 */
export function blocksRules(errors: readonly FieldError[]): boolean {
  return errors.some(({ type }) => BLOCKING.has(type));
}
