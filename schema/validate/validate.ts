import type { FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { validateEmbedded } from './embedded.ts';
import { nodeSteps } from './large.ts';
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

/** {@link validateResource} with a step for each field and item. */
export function* resourceSteps(
  object: JsonObject,
  schema: StructuralSchema,
  { old, statusOnly = false }: ValidateResourceOptions = {},
): Steps<FieldError[]> {
  const part = statusOnly
    ? statusOf(object, schema, old)
    : { value: object, schema, old, path: '' };
  const run = new ValidationRun(part?.path ?? '');
  if (part !== undefined) yield* nodeSteps(run, part.value, part.schema, part.schema, part.old);
  const errors = run.finish();
  yield;
  errors.push(...validateEmbedded(object, schema));
  yield;
  if (old === undefined || validateListTypes(old, schema).length === 0) {
    yield;
    errors.push(...validateListTypes(object, schema));
  }
  return errors;
}

function validateStatus(
  object: JsonObject,
  schema: StructuralSchema,
  old: JsonObject | undefined,
): FieldError[] {
  const part = statusOf(object, schema, old);
  return part === undefined ? [] : validateValue(part.value, part.schema, part);
}

/** The status of an object with its schema and what it was before; undefined when there is nothing to check. */
function statusOf(object: JsonObject, schema: StructuralSchema, old: JsonObject | undefined) {
  const value = getOwn(object, 'status');
  const statusSchema = schema.child('status');
  if (value === undefined || statusSchema === undefined) return undefined;
  const before = isObject(old) ? getOwn(old, 'status') : undefined;
  return { value, schema: statusSchema, old: before, path: 'status' };
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
